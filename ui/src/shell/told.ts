import type { Event } from "../lib/host/bindings";
import { m } from "../paraglide/messages.js";

type Tone = "good" | "warn" | "bad";

const told: Record<string, { tone: Tone; text: (inputs: { name: string }) => string }> = {
  ready: { tone: "good", text: m.told_ready },
  failed: { tone: "bad", text: m.told_failed },
  lost: { tone: "bad", text: m.told_lost },
  preempted: { tone: "warn", text: m.told_preempted },
  stopped: { tone: "good", text: m.told_stopped },
  ended: { tone: "good", text: m.end_confirmed },
  "not-confirmed": { tone: "bad", text: m.told_not_confirmed },
  differs: { tone: "warn", text: m.told_differs },
  "policy-broken": { tone: "bad", text: m.told_policy_broken },
  "price-rise": { tone: "warn", text: m.told_price_rise },
  "lease-soon": { tone: "warn", text: m.told_lease_soon },
  "lease-over": { tone: "warn", text: m.told_lease_over },
  "lease-stopped": { tone: "warn", text: m.told_lease_stopped },
  "lease-ended": { tone: "warn", text: m.told_lease_ended },
  "idle-soon": { tone: "warn", text: m.told_idle_soon },
  "idle-over": { tone: "warn", text: m.told_idle_over },
  "idle-stopped": { tone: "warn", text: m.told_idle_stopped },
  "idle-ended": { tone: "warn", text: m.told_idle_ended },
  budget: { tone: "warn", text: m.told_budget },
  "budget-used-up": { tone: "bad", text: m.told_budget_used_up },
  "still-there": { tone: "bad", text: m.told_still_there },
};

/** What the desk told about a rental, in the reader's language; a word this window does not know as the desk says it. */
export function inWords({ what, name, text }: Extract<Event, { kind: "told" }>): {
  tone: Tone;
  text: string;
} {
  const known = told[what];
  return known ? { tone: known.tone, text: known.text({ name }) } : { tone: "warn", text: `${name} ${text}` };
}
