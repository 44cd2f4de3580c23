import type { Line } from "../ui/LineChart.svelte";
import { m } from "../../paraglide/messages.js";
import type { BuyAnswer, BuyPoint } from "../host/bindings";

const kinds: { key: keyof BuyPoint; label: () => string; colour: string; dash: string }[] = [
  { key: "owned_per_hour", label: m.buy_line_owned, colour: "var(--chart-1)", dash: "" },
  { key: "rent_per_hour", label: m.buy_line_rent, colour: "var(--chart-2)", dash: "7 4" },
  { key: "reserved_per_hour", label: m.buy_line_reserved, colour: "var(--chart-3)", dash: "2 3" },
  { key: "spot_per_hour", label: m.buy_line_spot, colour: "var(--chart-4)", dash: "9 3 2 3" },
];

/** How often the dearest hour of full use the picture is high: owning costs without end where little is used. */
const room = 2;

/** The lines of the comparison that have a value anywhere. */
export function linesOf(answer: BuyAnswer): Line[] {
  return kinds
    .map(({ key, label, colour, dash }) => ({
      key,
      label: label(),
      colour,
      dash,
      values: answer.curve.map((point) => (point[key] === null ? null : Number(point[key]))),
    }))
    .filter((line) => line.values.some((value) => value !== null));
}

/** How far up the picture reaches. */
export function topOf(lines: readonly Line[]): number {
  return room * Math.max(0, ...lines.map((line) => line.values.at(-1) ?? 0));
}

/** The stretch of the month over which the break-even may lie; null where nothing is known. */
export function bandOf({ band }: BuyAnswer): [number, number] | null {
  return band && band.low !== null ? [band.low, band.high ?? 1] : null;
}

/** A bar of the tornado: from and to, and where the answer stands, as shares of its width. */
export interface Reach {
  from: number;
  to: number;
}

/** The scale of a tornado in hours: from the least to the most that any figure leads to. */
export function reachOf(answer: BuyAnswer): (hours: number) => number {
  const all = answer.sensitivity.flatMap(({ low_hours, high_hours }) => [low_hours, high_hours]);
  const known = [...all, answer.needed_hours].filter((one): one is number => one !== null);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  return (hours) => (most > least ? (hours - least) / (most - least) : 0.5);
}
