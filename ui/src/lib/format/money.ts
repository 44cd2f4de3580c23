import { locale } from "../i18n/locale.svelte";
import { noBreak, number } from "./number";

const symbols: Record<string, string> = { USD: "$", EUR: "€", RUB: "₽", GBP: "£", CNY: "¥" };

/** Currencies with a word for their hundredth that everybody reads. */
const hundredths: Record<string, string> = { USD: "¢", EUR: "¢" };

/** `$`, or the three letters where there is no unmistakable sign. */
export function symbol(currency: string): string {
  return symbols[currency] ?? currency;
}

function withSymbol(digits: string, currency: string): string {
  const sign = symbol(currency);
  if (locale.current === "ru" || sign.length > 1) return `${digits}${noBreak}${sign}`;
  return digits.startsWith("−") ? `−${sign}${digits.slice(1)}` : `${sign}${digits}`;
}

/** How many digits after the mark fit the size: two below a hundred, none above. */
function digits(amount: string): string {
  const size = Math.abs(Number(amount));
  if (size !== 0 && size < 0.1) return number(amount, 0, size < 0.01 ? 4 : 3);
  return number(amount, size !== 0 && size < 99.995 ? 2 : 0);
}

/** An amount without its sign, for a column whose head names the currency; below a tenth in cents: `4.3 ¢`. */
export function amount(value: string, currency: string): string {
  const size = Math.abs(Number(value));
  const cent = hundredths[currency];
  if (cent && size !== 0 && size < 0.1) return `${number(size * 100, 0, 1)}${noBreak}${cent}`;
  return digits(value);
}

/** A price of something small without its sign, to three digits: prices side by side must differ where they do. */
export function fine(value: number, currency: string): string {
  const cent = hundredths[currency];
  const [size, unit] = cent && value !== 0 && value < 0.1 ? [value * 100, `${noBreak}${cent}`] : [value, ""];
  const places = size === 0 ? 0 : Math.max(0, Math.min(8, 2 - Math.floor(Math.log10(size))));
  return `${number(size, places)}${unit}`;
}

/** An amount with its sign, as exact as its size asks: `4.3 ¢`, `$1.99`, `$791`. */
export function money(value: string, currency: string): string {
  const shown = amount(value, currency);
  return shown.endsWith(hundredths[currency] ?? "\0") ? shown : withSymbol(shown, currency);
}

function cents(value: string): string {
  const size = Math.abs(Number(value));
  return number(value, 2, size !== 0 && size < 0.01 ? 4 : 2);
}

/** An amount to the cent, for lines that add up. */
export function exact(value: string, currency: string): string {
  return withSymbol(cents(value), currency);
}

/** A price of something very small with its sign, never in cents and with all that it says: `$0.00116`. */
export function small(value: string, currency: string): string {
  const size = Number(value);
  const places = size === 0 ? 0 : Math.max(2, Math.min(9, 2 - Math.floor(Math.log10(Math.abs(size)))));
  return withSymbol(number(value, 2, places), currency);
}

/** An amount in whole units, for where there is room for nothing else. */
export function whole(value: string, currency: string): string {
  return withSymbol(number(value, 0), currency);
}

/** A range with its sign said once; one amount where both ends read the same, a lower bound without an upper one. */
export function moneyRange(low: string, high: string | null, currency: string): string {
  return ranged([money(low, currency), amount(low, currency)], high, currency, [money, amount]);
}

/** A range to the cent, for lines that add up. */
export function exactRange(low: string, high: string | null, currency: string): string {
  return ranged([exact(low, currency), cents(low)], high, currency, [exact, cents]);
}

type Says = (value: string, currency: string) => string;

function ranged(
  [from, bareFrom]: [string, string],
  high: string | null,
  currency: string,
  [say, bare]: [Says, Says],
): string {
  if (high === null) return `≥ ${from}`;
  const to = say(high, currency);
  if (from === to) return from;
  if (from.endsWith("¢")) return `${from}–${to}`;
  const isBehind = locale.current === "ru" || symbol(currency).length > 1;
  return isBehind ? `${bareFrom}–${to}` : `${from}–${bare(high, currency)}`;
}
