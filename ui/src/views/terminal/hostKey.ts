import type { ApiError } from "../../lib/host/bindings";

/** A host key that is not the one it was: the known one and the one that came. */
export interface ChangedKey {
  known: string | null;
  offered: string | null;
}

const fingerprints = /SHA256:[A-Za-z0-9+/]{43}/g;

/** The two keys of a problem that is a changed host key; null for any other problem. */
export function changedKey(problem: ApiError, recorded: string | null): ChangedKey | null {
  if (problem.code !== "host-key-changed") return null;
  const told = [
    ...new Set(`${problem.what} ${problem.detail} ${problem.hint ?? ""}`.match(fingerprints) ?? []),
  ];
  const known = recorded ?? (told.length > 1 ? (told[0] ?? null) : null);
  return { known, offered: told.find((fingerprint) => fingerprint !== known) ?? null };
}
