import { m } from "../../paraglide/messages.js";
import type { ApiError } from "../host/bindings";

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
  internal: { tone: "bad", title: m.error_internal },
};

/** The title and weight of an error by its code. */
export function tell(error: ApiError): Told {
  const known = byCode[error.code] ?? byCode.internal;
  return { tone: known?.tone ?? "bad", title: known?.title() ?? error.code };
}

/** All that helps somebody else understand the error, for the clipboard. */
export function report(error: ApiError): string {
  return [`${error.code}: ${error.what}`, error.detail, error.hint].filter((line) => line).join("\n");
}
