import { minuteHere } from "../format/time";

/** Until when: so many hours from now, tomorrow morning, a day and time, or for ever. */
export type Until = "1" | "4" | "8" | "tomorrow" | "other" | "none";

/** When a working day begins. */
const morning = 9;

function two(value: number): string {
  return String(value).padStart(2, "0");
}

/** The day of an RFC 3339 time on this machine's clock, as a date field holds it; empty for none. */
export function dayHere(time: string | null): string {
  if (time === null) return "";
  const date = new Date(time);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The minute of an RFC 3339 time on this machine's clock, as a time field holds it; empty for none. */
export function timeHere(time: string | null): string {
  if (time === null) return "";
  const date = new Date(time);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** A full hour of today in the language's form. */
export function clockOf(hour: number): string {
  const date = new Date();
  date.setHours(hour, 0, 0, 0);
  return minuteHere(date);
}

/** What was chosen as a time, RFC 3339 (null = without end), and whether it is one. */
export function untilOf(
  choice: Until,
  day: string,
  time: string,
  now: number,
): { at: string | null; valid: boolean } {
  if (choice === "none") return { at: null, valid: true };
  if (choice === "tomorrow") {
    const date = new Date(now);
    date.setDate(date.getDate() + 1);
    date.setHours(morning, 0, 0, 0);
    return { at: date.toISOString(), valid: true };
  }
  if (choice !== "other") {
    // Whole minutes: a lease to the millisecond would read as one minute less at once.
    const hours = Number(choice) * 3_600_000;
    return { at: new Date(Math.ceil((now + hours) / 60_000) * 60_000).toISOString(), valid: true };
  }
  const shaped = /^\d{4}-\d{2}-\d{2}$/.test(day) && /^\d{1,2}:\d{2}$/.test(time);
  const date = new Date(`${day}T${time.padStart(5, "0")}`);
  // A day that is none (31 April) would be taken for the next one.
  const exists = shaped && !Number.isNaN(date.getTime()) && dayHere(date.toISOString()) === day;
  return exists ? { at: date.toISOString(), valid: true } : { at: null, valid: false };
}

/** The longest lease, in hours, that is over before an RFC 3339 time; a minute is left for the order itself. */
export function hoursBefore(time: string, now: number): number {
  return Math.max(0, Math.floor((Date.parse(time) - now - 60_000) / 36_000) / 100);
}

/** Whole minutes above zero as they were typed; null where they are not. */
export function minutesOf(text: string): number | null {
  return /^\d{1,5}$/.test(text.trim()) && Number(text) > 0 ? Number(text) : null;
}
