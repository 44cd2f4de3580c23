import type { DayAmount, SpendDay, SpendPage, SpendRow } from "../host/bindings";

/** The most keys that have a colour of their own; the rest are one. */
const ownColours = 5;

/** Everything without a colour of its own. No key of the desk is a blank. */
export const other = " ";

/** A colour of the chart and what it stands for. */
export interface Series {
  key: string;
  /** Null for all the rest. */
  row: SpendRow | null;
  colour: string;
}

/** Which keys have a colour: the dearest, in the order of the table. One more than fits needs no "other". */
export function seriesOf(page: SpendPage): Series[] {
  const paid = new Set(page.days.flatMap((day) => [...day.spent, ...day.to_come].map(({ key }) => key)));
  const rows = page.rows.filter((row) => paid.has(row.key));
  const named: Series[] = rows
    .slice(0, ownColours)
    .map((row, i) => ({ key: row.key, row, colour: `var(--chart-${i + 1})` }));
  const known = new Set(named.map(({ key }) => key));
  return [...paid].some((key) => !known.has(key))
    ? [...named, { key: other, row: null, colour: "var(--chart-other)" }]
    : named;
}

/** What one colour cost on a day. */
export interface Share {
  series: Series;
  amount: string;
}

/** A day by colours: what was spent, and what is to come. */
export interface DayShares {
  date: string;
  spent: Share[];
  toCome: Share[];
  /** All of either. */
  total: string;
}

/** The days of a page by the colours of its chart. */
export function sharesOf(page: SpendPage, series: readonly Series[]): DayShares[] {
  const rest = series.find(({ key }) => key === other);
  const shares = (amounts: DayAmount[]): Share[] =>
    series.flatMap((one) => {
      const mine = amounts.filter(({ key }) =>
        one === rest ? !series.some((named) => named.key === key) : key === one.key,
      );
      return mine.length > 0 ? [{ series: one, amount: added(mine.map(({ amount }) => amount)) }] : [];
    });
  return page.days.map((day: SpendDay) => ({
    date: day.date,
    spent: shares(day.spent),
    toCome: shares(day.to_come),
    total: added([...day.spent, ...day.to_come].map(({ amount }) => amount)),
  }));
}

/** Digits after the mark that amounts of a day have. */
const places = 4;

/** Decimal amounts added digit by digit: what is read from the chart is what the desk said. */
export function added(amounts: readonly string[]): string {
  const sum = amounts.reduce((total, amount) => {
    const [, sign = "", whole = "0", part = ""] = /^(-?)(\d*)(?:\.(\d*))?$/.exec(amount) ?? [];
    const size = BigInt(`${whole || "0"}${part.padEnd(places, "0").slice(0, places)}`);
    return total + (sign === "-" ? -size : size);
  }, 0n);
  const digits = (sum < 0n ? -sum : sum).toString().padStart(places + 1, "0");
  return `${sum < 0n ? "-" : ""}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
