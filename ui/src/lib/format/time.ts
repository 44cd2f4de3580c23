import { m } from "../../paraglide/messages.js";
import { locale } from "../i18n/locale.svelte";
import { number } from "./number";

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

/** Milliseconds the engine took. */
export function milliseconds(value: number): string {
  return m.unit_milliseconds({ n: number(value, 0, value < 1 ? 2 : value < 10 ? 1 : 0) });
}
