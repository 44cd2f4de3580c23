import { m } from "../../paraglide/messages.js";
import { minuteOf, span } from "../format/time";
import type { ActivityDto, RentalDto } from "../host/bindings";

const states: Record<string, () => string> = {
  working: m.activity_working,
  idle: m.activity_idle,
  parked: m.activity_parked,
  unknown: m.activity_unknown,
};

const acts: Record<string, (given: { time: string }) => string> = {
  stop: m.acts_stop,
  end: m.acts_end,
};

/** Whether a machine does something, in one word; one this window does not know is shown as it came. */
export function activityWord(state: string): string {
  return states[state]?.() ?? state;
}

/** An activity that is none. */
type Idleness = ActivityDto & { state: "idle" | "parked" };

/** Whether it costs money and does nothing. */
export function isIdle(activity: ActivityDto | null): activity is Idleness {
  return activity?.state === "idle" || activity?.state === "parked";
}

/** For how long it has been idle: `42 min`. */
export function idleSpan(activity: ActivityDto): string {
  return span(activity.minutes * 60);
}

/** Whether somebody may want to say that it is needed all the same. */
export function mayKeep(rental: RentalDto): boolean {
  return !rental.over && (isIdle(rental.activity) || (rental.activity?.acts_at ?? null) !== null);
}

/** What its lease does if nothing changes; null where it does nothing. */
export function actsAt(rental: RentalDto): string | null {
  const at = rental.activity?.acts_at ?? null;
  if (rental.over || at === null) return null;
  return acts[rental.lease.on_expiry]?.({ time: minuteOf(at) }) ?? null;
}

/** What is known of its activity, in full. */
export function activityText(activity: ActivityDto | null): string {
  if (activity === null) return m.activity_never();
  const said = isIdle(activity)
    ? m.activity_for({ state: activityWord(activity.state), span: idleSpan(activity) })
    : activityWord(activity.state);
  const why = activityWhy(activity);
  return [said, why].filter((part) => part !== "").join(": ");
}

const whys: Record<string, () => string> = {
  gpu: m.why_gpu,
  cpu: m.why_cpu,
  network: m.why_network,
  disk: m.why_disk,
  human: m.why_human,
  marker: m.why_marker,
  reboot: m.why_reboot,
  quiet: m.why_quiet,
  memory: m.why_memory,
  "no-gpu-tool": m.why_no_gpu_tool,
  mig: m.why_mig,
  "card-lost": m.why_card_lost,
  driver: m.why_driver,
  "not-told": m.why_not_told,
  "too-few": m.why_too_few,
};

/** Why it is judged so; a word this window does not know is shown as it came. */
export function activityWhy(activity: ActivityDto): string {
  return whys[activity.why]?.() ?? activity.why;
}
