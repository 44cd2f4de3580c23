import { m } from "../../paraglide/messages.js";
import { money } from "../format/money";
import { noBreak, number, share } from "../format/number";
import type { BuyAnswer, BuyInput } from "../host/bindings";

const names: Record<string, () => string> = {
  price: m.buy_price,
  running: m.buy_running,
  watts: m.buy_watts,
  draw: m.buy_draw,
  pue: m.buy_pue,
  kwh: m.buy_kwh,
  place: m.buy_place,
  people: m.buy_people,
  capital: m.buy_capital,
  resale: m.buy_resale,
  term: m.buy_term,
  rent: m.buy_rent,
  reserved: m.buy_reserved,
  spot: m.buy_spot,
  depreciation: m.buy_depreciation,
  power: m.buy_power,
};

/** A figure of the comparison in words. */
export function figureWord(name: string): string {
  return names[name]?.() ?? name;
}

const origins: Record<string, () => string> = {
  given: m.buy_from_you,
  table: m.buy_from_table,
  board: m.buy_from_board,
  offer: m.buy_from_offer,
  assumed: m.buy_from_assumed,
  missing: m.buy_from_nowhere,
};

/** Where a figure is from, in words. */
export function originWord(origin: string): string {
  return origins[origin]?.() ?? origin;
}

/** Months. */
export function months(value: number): string {
  return m.buy_months({ n: value });
}

/** Hours, whole. */
export function hoursShort(value: number): string {
  return `${number(value)}${noBreak}${m.hour_short()}`;
}

/** A value of a figure with its unit. */
export function valueOf({ unit }: Pick<BuyInput, "unit">, value: string, currency: string): string {
  if (unit === "share" || unit === "share/year") {
    const part = Number(value);
    // The resale is a text of its own: shares and ages.
    return Number.isNaN(part) ? curveText(value) : share(part);
  }
  if (unit === "months") return months(Number(value));
  if (unit === "W") return `${number(value, 0, 0)}${noBreak}W`;
  if (unit === "factor") return number(value, 0, 2);
  return money(value, currency);
}

/** `30%@18m` as a person reads it. */
export function curveText(curve: string): string {
  return curve
    .split(",")
    .map((point) => {
      const [left = "", age = ""] = point.split("@");
      return m.buy_left_after({
        share: share(Number(left.replace("%", "")) / 100),
        age: months(parseInt(age)),
      });
    })
    .join(", ");
}

/** Why there is no break-even, or what is missing. */
export function whyNot(answer: BuyAnswer): string | null {
  if (answer.reason_code === "beyond-a-month")
    return m.buy_never({
      hours: hoursShort(answer.needed_hours ?? 0),
      month: hoursShort(answer.month_hours),
    });
  if (answer.reason_code === "rent-is-nothing") return m.buy_rent_nothing();
  if (answer.reason_code === "missing")
    return m.buy_missing({ what: answer.missing.map(figureWord).join(", ") });
  return null;
}
