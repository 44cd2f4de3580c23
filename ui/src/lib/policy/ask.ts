import { m } from "../../paraglide/messages.js";
import type { PolicyDto } from "../host/bindings";
import { isolation } from "../offer/words";
import { area, certificate } from "./words";

/** What a policy asks for and does, in one line. */
export function asks(policy: PolicyDto): string {
  const part = (words: string[], say: (word: string) => string, line: (given: { what: string }) => string) =>
    words.length > 0 ? [line({ what: words.map(say).join(", ") })] : [];
  return [
    ...part(policy.place, area, m.policy_asks_place),
    ...part(policy.seller, area, m.policy_asks_seller),
    ...part(policy.certificates, certificate, m.policy_asks_certificates),
    ...part(policy.isolation, isolation, m.policy_asks_isolation),
    policy.on_breach === "block" ? m.policy_blocks() : m.policy_warns(),
  ].join(" · ");
}

/** Words typed with commas or spaces between them. */
export function typed(text: string): string[] {
  return text.split(/[,;]+/).flatMap((word) => word.trim() || []);
}

/** A name made of a title: what the query line can say. */
export function nameOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 30);
}
