import { m } from "../../paraglide/messages.js";
import type { NoticeKind, NoticeSettings, NoticesSetRequest } from "../host/bindings";

const kinds: Record<string, () => string> = {
  ready: m.notice_ready,
  lease: m.notice_lease,
  idle: m.notice_idle,
  trouble: m.notice_trouble,
  preempted: m.notice_preempted,
  budget: m.notice_budget,
  unmanaged: m.notice_unmanaged,
  price: m.notice_price,
};

/** What a kind of notice tells. */
export function kindWord(kind: string): string {
  return kinds[kind]?.() ?? kind;
}

/** The ways a notice goes, in the order of the table. */
export const ways = ["system", "mail", "webhook"] as const;

/** One of them. */
export type Way = (typeof ways)[number];

const wayWords: Record<Way, () => string> = {
  system: m.way_system,
  mail: m.way_mail,
  webhook: m.way_webhook,
};

/** The name of a way. */
export function wayWord(way: Way): string {
  return wayWords[way]();
}

/** What a webhook can be called with; names of services and formats are the same in every language. */
export const webhookForms = [
  { form: "slack", name: "Slack" },
  { form: "telegram", name: "Telegram" },
  { form: "json", name: "JSON" },
] as const;

/** How a connection to a mail server may be kept from others, and the port that goes with it. */
export const securities = [
  { security: "tls", port: 465 },
  { security: "starttls", port: 587 },
  { security: "none", port: 25 },
] as const;

/** The name of one of them. */
export function securityWord(security: string): string {
  return security === "none" ? m.mail_unencrypted() : security.toUpperCase();
}

/** The settings as they are, to be sent with one change; the secrets that are kept stay. */
export function asTheyAre(settings: NoticeSettings): NoticesSetRequest {
  const { kinds: all, mail, webhook_form, webhook_chat } = settings;
  return { kinds: all, mail, password: null, webhook: null, webhook_form, webhook_chat };
}

/** The kinds with one switch turned. */
export function turned(all: readonly NoticeKind[], kind: string, way: Way, on: boolean): NoticeKind[] {
  return all.map((one) => (one.kind === kind ? { ...one, [way]: on } : one));
}
