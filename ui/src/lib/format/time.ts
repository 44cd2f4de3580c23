import { m } from "../../paraglide/messages.js";
import { locale } from "../i18n/locale.svelte";
import { noBreak, number } from "./number";

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const month = 30.44 * day;

/** A length of time, rounded to its largest unit: `2 min`, `3 h`, `5 months`. */
export function span(seconds: number): string {
  if (seconds < minute) return m.span_seconds({ n: Math.max(0, Math.round(seconds)) });
  if (seconds < hour) return m.span_minutes({ n: Math.floor(seconds / minute) });
  if (seconds < day) return m.span_hours({ n: Math.floor(seconds / hour) });
  if (seconds < 2 * month) return m.span_days({ n: Math.floor(seconds / day) });
  if (seconds < 24 * month) return m.span_months({ n: Math.floor(seconds / month) });
  return m.span_years({ n: Math.floor(seconds / (12 * month)) });
}

/** A length of time in its two largest units: `2 h 48 min`, `6 d 2 h`; below a minute in seconds. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const parts = [
    [m.span_days, Math.floor(whole / day)],
    [m.span_hours, Math.floor((whole % day) / hour)],
    [m.span_minutes, Math.floor((whole % hour) / minute)],
    [m.span_seconds, whole % minute],
  ] as const;
  const first = parts.findIndex(([, n]) => n > 0);
  if (first === -1) return m.span_seconds({ n: 0 });
  return parts
    .slice(first, first + 2)
    .filter(([, n], i) => i === 0 || n > 0)
    .map(([say, n]) => say({ n }))
    .join(" ");
}

/** How long ago: `2 min ago`; below a minute `just now`. */
export function ago(seconds: number): string {
  return seconds < minute ? m.just_now() : m.ago({ span: span(seconds) });
}

/** A billing step or minimum: `1 s`, `10 min`, `1 h`. */
export function step(seconds: number): string {
  if (seconds % hour === 0) return m.span_hours({ n: seconds / hour });
  if (seconds % minute === 0) return m.span_minutes({ n: seconds / minute });
  return m.span_seconds({ n: seconds });
}

/** The day of an RFC 3339 time, as it stands there. */
export function isoDay(time: string): string {
  return time.slice(0, 10);
}

const parts = {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
} as const;
const moments = {
  en: new Intl.DateTimeFormat("en-GB", parts),
  ru: new Intl.DateTimeFormat("ru-RU", parts),
};

/** Day and minute of an RFC 3339 time, on this machine's clock. */
export function moment(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  return moments[locale.current].format(date);
}

const clockParts = { hour: "2-digit", minute: "2-digit" } as const;
const clocks = {
  en: new Intl.DateTimeFormat("en-GB", clockParts),
  ru: new Intl.DateTimeFormat("ru-RU", clockParts),
};

/** The minute of a time on this machine's clock. */
export function minuteHere(date: Date): string {
  return clocks[locale.current].format(date);
}

/** The minute of an RFC 3339 time on this machine's clock; with its day where that is not today. */
export function minuteOf(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  const today = date.toDateString() === new Date().toDateString();
  return today ? minuteHere(date) : moment(time);
}

const dayParts = { day: "numeric", month: "short", timeZone: "UTC" } as const;
const days = {
  en: new Intl.DateTimeFormat("en-GB", dayParts),
  ru: new Intl.DateTimeFormat("ru-RU", dayParts),
};
const monthParts = { month: "long", timeZone: "UTC" } as const;
const months = {
  en: new Intl.DateTimeFormat("en-GB", monthParts),
  ru: new Intl.DateTimeFormat("ru-RU", monthParts),
};

/** A day given as `YYYY-MM-DD`: `17 Nov`. */
export function dayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  // A day is one word: its number never stands alone at the end of a line.
  return Number.isNaN(date.getTime()) ? day : days[locale.current].format(date).replace(/\s/, noBreak);
}

/** A month given as `YYYY-MM`: `November 2026`. */
export function monthOf(month: string): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return month;
  const name = months[locale.current].format(date);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${month.slice(0, 4)}`;
}

/** Milliseconds the engine took. */
export function milliseconds(value: number): string {
  return m.unit_milliseconds({ n: number(value, 0, value < 1 ? 2 : value < 10 ? 1 : 0) });
}
