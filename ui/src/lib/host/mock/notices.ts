import type { NoticeSettings, NoticesSetRequest } from "../bindings";

/** Notices as they are on the first run: all by the system, no mail, no webhook. */
export function mockNotices(): NoticeSettings {
  const kinds = ["ready", "lease", "idle", "trouble", "preempted", "budget", "unmanaged", "price"];
  return {
    kinds: kinds.map((kind) => ({ kind, system: true, mail: false, webhook: false })),
    mail: null,
    webhook: false,
    webhook_form: "slack",
    webhook_chat: "",
    problem: null,
  };
}

/** The settings after a change; secrets are kept, and never told again. */
export function noticesAfter(now: NoticeSettings, change: NoticesSetRequest): NoticeSettings {
  const kept = now.mail?.has_password ?? false;
  const has_password = change.password === null ? kept : change.password !== "";
  return {
    kinds: change.kinds,
    mail: change.mail ? { ...change.mail, has_password } : null,
    webhook: change.webhook === null ? now.webhook : change.webhook !== "",
    webhook_form: change.webhook_form,
    webhook_chat: change.webhook_chat,
    problem: null,
  };
}

/** Settings of notices that can be changed. */
export function mockTellers(host: () => { notices: NoticeSettings }) {
  return {
    notices_get: () => host().notices,
    notices_set: (change: NoticesSetRequest) => (host().notices = noticesAfter(host().notices, change)),
    notices_try: () => host().notices,
  };
}
