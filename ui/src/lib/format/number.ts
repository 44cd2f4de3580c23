import { locale } from "../i18n/locale.svelte";

/** Between thousands: as thin as the type allows, and never a place to break a line. */
export const thinSpace = "\u202f";

/** Between a number and its unit. */
export const noBreak = "\u00a0";

/** What stands where nothing is known. */
export const dash = "–";

const formats = new Map<number, Intl.NumberFormat>();

function format(minimum: number, maximum: number): Intl.NumberFormat {
  const key = minimum * 100 + maximum;
  let found = formats.get(key);
  if (!found) {
    found = new Intl.NumberFormat("en-US", {
      minimumFractionDigits: minimum,
      maximumFractionDigits: maximum,
      useGrouping: true,
    });
    formats.set(key, found);
  }
  return found;
}

/**
 * A number with thin spaces in its thousands and the language's decimal mark. Decimal strings are formatted digit by
 * digit, without a detour through floating point.
 */
export function number(value: number | string, minimum = 0, maximum = minimum): string {
  const text = format(minimum, maximum)
    .format(value as Intl.StringNumericLiteral)
    .replaceAll(",", thinSpace)
    .replace("-", "−");
  return locale.current === "ru" ? text.replace(".", ",") : text;
}

/** A count of things. */
export function count(value: number): string {
  return number(value);
}

/** A share of one as a percentage: 0.9931 becomes `99.3 %`. */
export function share(value: number): string {
  return `${number(value * 100, 0, value > 0.99 ? 1 : 0)}${noBreak}%`;
}

/** A change in percent with its sign; none is `0 %`. */
export function change(percent: number): string {
  // Adding zero makes a plain zero of a negative one.
  const rounded = (Math.abs(percent) < 10 ? Math.round(percent * 10) / 10 : Math.round(percent)) + 0;
  const sign = rounded > 0 ? "+" : "";
  return `${sign}${number(rounded, 0, 1)}${noBreak}%`;
}
