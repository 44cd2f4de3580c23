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

const abilities: Record<string, () => string> = {
  offers: m.can_offers,
  watch: m.can_watch,
  rent: m.can_rent,
  stop: m.can_stop,
  spot: m.can_spot,
  bid: m.can_bid,
  balance: m.can_balance,
  usage: m.can_usage,
  "ssh-keys": m.can_ssh_keys,
  leftovers: m.can_leftovers,
};

/** What works, as a list in words. */
export function able(words: readonly string[]): string {
  return words.map((word) => abilities[word]?.() ?? word).join(", ");
}

/** Where a key is kept. */
export function keyPlace(word: string): string {
  return places[word]?.() ?? word;
}

/** What a key may do. */
export function rights(word: string): string {
  return may[word]?.() ?? word;
}
