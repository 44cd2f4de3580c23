import { m } from "../../paraglide/messages.js";

const places: Record<string, () => string> = {
  keyring: m.key_in_keyring,
  environment: m.key_in_environment,
  file: m.key_in_file,
  missing: m.key_missing,
};

const may: Record<string, () => string> = {
  "read-only": m.rights_read,
  "read-write": m.rights_write,
  unknown: m.rights_unknown,
};

/** Where a key is kept. */
export function keyPlace(word: string): string {
  return places[word]?.() ?? word;
}

/** What a key may do. */
export function rights(word: string): string {
  return may[word]?.() ?? word;
}
