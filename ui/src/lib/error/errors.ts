import { m } from "../../paraglide/messages.js";
import type { ApiError } from "../host/bindings";
import { said, words } from "./russian";

/** How an error is shown. */
export interface Told {
  tone: "warn" | "bad";
  title: string;
}

/** One line a code; codes are acted on, the other side's words are only shown. */
const byCode: Record<string, { tone: Told["tone"]; title: () => string }> = {
  "query-invalid": { tone: "warn", title: m.error_query },
  "not-found": { tone: "warn", title: m.error_not_found },
  network: { tone: "warn", title: m.error_network },
  "provider-refused": { tone: "bad", title: m.error_provider },
  "rate-limited": { tone: "warn", title: m.error_rate_limited },
  "bad-answer": { tone: "bad", title: m.error_bad_answer },
  database: { tone: "bad", title: m.error_database },
  "request-invalid": { tone: "bad", title: m.error_request },
  "settings-invalid": { tone: "warn", title: m.error_settings },
  "too-large": { tone: "bad", title: m.error_too_large },
  timeout: { tone: "warn", title: m.error_timeout },
  unsupported: { tone: "warn", title: m.error_unsupported },
  conflict: { tone: "warn", title: m.error_conflict },
  "bad-key": { tone: "bad", title: m.error_bad_key },
  forbidden: { tone: "bad", title: m.error_forbidden },
  "no-funds": { tone: "bad", title: m.error_no_funds },
  "account-not-ready": { tone: "bad", title: m.error_account_not_ready },
  quota: { tone: "warn", title: m.error_quota },
  "no-capacity": { tone: "warn", title: m.error_no_capacity },
  "offer-gone": { tone: "warn", title: m.error_offer_gone },
  "bid-too-low": { tone: "warn", title: m.error_bid_too_low },
  "ssh-key-refused": { tone: "bad", title: m.error_ssh_key_refused },
  "no-such-machine": { tone: "warn", title: m.error_no_such_machine },
  "key-invalid": { tone: "warn", title: m.error_key_invalid },
  "no-key": { tone: "warn", title: m.error_no_key },
  "keys-file": { tone: "bad", title: m.error_keys_file },
  keyring: { tone: "warn", title: m.error_keyring },
  refused: { tone: "warn", title: m.error_refused },
  "budget-blocked": { tone: "bad", title: m.error_budget_blocked },
  "policy-blocked": { tone: "bad", title: m.error_policy_blocked },
  practice: { tone: "bad", title: m.error_practice },
  "ssh-silent": { tone: "warn", title: m.error_ssh_silent },
  "ssh-denied": { tone: "warn", title: m.error_ssh_denied },
  "host-key-changed": { tone: "bad", title: m.error_host_key_changed },
  "host-key-unknown": { tone: "warn", title: m.error_host_key_unknown },
  "ssh-command": { tone: "bad", title: m.error_ssh_command },
  "ssh-here": { tone: "bad", title: m.error_ssh_here },
  "no-address": { tone: "warn", title: m.error_no_address },
  "ssh-include-missing": { tone: "warn", title: m.error_ssh_include_missing },
  internal: { tone: "bad", title: m.error_internal },
};

/** The title and weight of an error by its code. */
export function tell(error: ApiError): Told {
  const known = byCode[error.code] ?? byCode.internal;
  return { tone: known?.tone ?? "bad", title: known?.title() ?? error.code };
}

/** What kind of error it is and what happened, for where there is one line. */
export function inShort(error: ApiError): string {
  return followed(tell(error).title, error.detail);
}

/** What it was about and what happened. */
export function happened(error: ApiError): string {
  return followed(said(error.what), error.detail);
}

/** What there is to do about it; null where nobody knows. */
export function hint(error: ApiError): string | null {
  return error.hint ? m.hint({ hint: said(error.hint) }) : null;
}

function followed(start: string, detail: string): string {
  return detail ? `${start}: ${words(detail)}` : start;
}

/** All that helps somebody else understand the error, for the clipboard. */
export function report(error: ApiError): string {
  return [`${error.code}: ${error.what}`, error.detail, error.hint].filter((line) => line).join("\n");
}
