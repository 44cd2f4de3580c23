import { dayOf, monthOf } from "../format/time";

/** Of when: a whole month, so many before this one, or the days from one to another, `YYYY-MM-DD`. */
export type Period = { kind: "month"; back: number } | { kind: "days"; from: string; to: string };

/** The month now. */
export const thisMonth: Period = { kind: "month", back: 0 };

const day = 24 * 60 * 60 * 1000;

/** The month so many before the one of this time, `YYYY-MM`; days are those of UTC, as the desk reckons them. */
export function monthBack(back: number, now: number): string {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back)).toISOString().slice(0, 7);
}

/** What the desk is asked for. Of this month nothing is said: what it is may change while the window is open. */
export function daysOf(period: Period, now: number): { from: string | null; to: string | null } {
  if (period.kind === "days") return { from: period.from, to: period.to };
  return { from: period.back === 0 ? null : `${monthBack(period.back, now)}-01`, to: null };
}

/** A period in words: `November 2026`, `3 Nov – 17 Nov`. */
export function periodTitle(period: Period, now: number): string {
  if (period.kind === "month") return monthOf(monthBack(period.back, now));
  if (period.from === period.to) return dayOf(period.from);
  const [from, to] = [period.from, period.to].map((one) => {
    const year = one.slice(0, 4);
    return year === new Date(now).toISOString().slice(0, 4) ? dayOf(one) : `${dayOf(one)} ${year}`;
  });
  return `${from} – ${to}`;
}

/** The period as long as this one, that many after it; null where there is nothing yet. */
export function shifted(period: Period, by: number, now: number): Period | null {
  if (period.kind === "month") return period.back < by ? null : { kind: "month", back: period.back - by };
  const [from, to] = [Date.parse(period.from), Date.parse(period.to)];
  const length = to - from + day;
  const moved = { kind: "days" as const, from: iso(from + by * length), to: iso(to + by * length) };
  return Date.parse(moved.from) > now ? null : moved;
}

function iso(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Whether a text is a day that exists. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(text);
  return !Number.isNaN(time) && iso(time) === text;
}
