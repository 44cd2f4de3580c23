import { m } from "../../paraglide/messages.js";
import { money } from "../format/money";
import { duration } from "../format/time";
import type { LeaseDto, RentalDto, Ring, StopTruth } from "../host/bindings";

const rings: Record<string, () => string> = {
  provider: m.ring_provider,
  box: m.ring_box,
  desk: m.ring_desk,
};

const expiries: Record<string, () => string> = {
  notify: m.expiry_notify,
  stop: m.expiry_stop,
  end: m.expiry_end,
};

/** The name of a ring of the guard. */
export function ringName(ring: Ring): string {
  return rings[ring.ring]?.() ?? ring.ring;
}

/** What a ring does now, with the reason. */
export function ringText(ring: Ring): string {
  return ring.on ? m.ring_on() : m.ring_off();
}

/** Whether something ends the machine when this computer sleeps. */
export function guardedAsleep(given: readonly Ring[]): boolean {
  return given.some((ring) => ring.on && ring.ring !== "desk");
}

/** What happens when the lease is over. */
export function expiryWord(word: string): string {
  return expiries[word]?.() ?? word;
}

/** What is left of a lease, and how urgent that is. */
export function leaseLeft(lease: LeaseDto, now: number): { text: string; urgent: boolean; none: boolean } {
  if (lease.until !== null) {
    const left = (new Date(lease.until).getTime() - now) / 1000;
    if (left <= 0) return { text: m.lease_over(), urgent: true, none: false };
    const span = duration(left >= 60 ? left - (left % 60) : left);
    return { text: m.lease_left({ span }), urgent: left < 3600, none: false };
  }
  if (lease.idle_minutes !== null) {
    return { text: m.lease_idle({ span: duration(lease.idle_minutes * 60) }), urgent: false, none: false };
  }
  return { text: m.lease_none(), urgent: true, none: true };
}

/** What a stop means here, in full sentences. */
export function stopSentences(stop: StopTruth, provider: string): string[] {
  if (!stop.exists) return [m.stop_none({ provider })];
  const said = [stop.ends_compute ? m.stop_saves() : m.stop_saves_nothing({ provider })];
  if (stop.keeps_disk === true) {
    if (stop.disk_per_month === null) said.push(m.stop_keeps_unknown());
    else if (Number(stop.disk_per_month) === 0) said.push(m.stop_keeps_free());
    else said.push(m.stop_keeps_for({ price: money(stop.disk_per_month, stop.currency) }));
  } else if (stop.keeps_disk === false) said.push(m.stop_loses_disk());
  else said.push(m.stop_disk_unknown({ provider }));
  if (stop.start_may_wait) said.push(m.stop_start_may_wait());
  return said;
}

/** Whether a stop here deserves a warning. */
export function stopIsDoubtful(stop: StopTruth): boolean {
  return !stop.exists || !stop.ends_compute || stop.keeps_disk !== true;
}

/** The rate with its unit; null where it is not known. */
export function perHour(rental: RentalDto): string | null {
  const { per_hour: rate, currency } = rental.rate;
  return rate === null ? null : m.per_hour({ price: money(rate, currency) });
}
