import { m } from "../../paraglide/messages.js";
import { count, number, share } from "../format/number";
import { country } from "../format/place";
import { ago } from "../format/time";
import * as units from "../format/units";
import type { ColumnChoice, OfferRow } from "../host/bindings";
import type { GridColumn } from "../ui/grid/columns";
import { billing, perGpuHourHead, perHour } from "./price";
import { textWidth } from "../ui/measure";
import { symbol } from "../format/money";
import * as words from "./words";

/** A column of the offers table. `text` is left out where the cell is more than a text. */
export interface OfferColumn extends Omit<GridColumn, "title" | "hint"> {
  title: (currency: string) => string;
  /** Shown unless a person says otherwise. */
  usual: boolean;
  text?: (row: OfferRow, currency: string) => string | null;
}

function pair(first: string | null, second: string | null): string | null {
  return first === null && second === null ? null : `${first ?? "–"} / ${second ?? "–"}`;
}

function given<T>(value: T | null, say: (value: T) => string): string | null {
  return value === null ? null : say(value);
}

/** Every column there is, in the usual order. What yields most is named first when there is no room. */
export const offerColumns: readonly OfferColumn[] = [
  // The row's name and its price never give way.
  {
    key: "offer",
    title: m.column_offer,
    align: "start",
    width: 260,
    minimum: 248,
    yields: 0,
    grows: true,
    pinned: true,
    sort: "model",
    usual: true,
  },
  {
    key: "price",
    title: perGpuHourHead,
    align: "end",
    width: 90,
    minimum: 72,
    yields: 0,
    pinned: true,
    sort: "gpu-hour",
    usual: true,
  },
  { key: "change", title: m.column_change, align: "end", width: 60, minimum: 52, yields: 6, usual: true },
  {
    key: "total",
    title: m.column_total,
    align: "end",
    width: 92,
    minimum: 84,
    yields: 0,
    sort: "total",
    usual: true,
  },
  {
    key: "place",
    title: m.column_place,
    align: "start",
    width: 90,
    minimum: 64,
    yields: 2,
    sort: "place",
    usual: true,
  },
  {
    key: "vram",
    title: m.column_vram,
    align: "end",
    width: 78,
    minimum: 76,
    yields: 3,
    sort: "vram-size",
    largestFirst: true,
    usual: true,
  },
  {
    key: "bandwidth",
    title: m.column_bandwidth,
    align: "end",
    width: 88,
    minimum: 80,
    yields: 4,
    sort: "bandwidth-size",
    largestFirst: true,
    usual: true,
  },
  { key: "link", title: m.column_link, align: "start", width: 96, minimum: 70, yields: 5, usual: true },
  {
    key: "machine",
    title: (currency) => m.head_per_hour({ currency: symbol(currency) }),
    align: "end",
    width: 84,
    minimum: 64,
    yields: 0,
    sort: "machine-hour",
    usual: false,
    text: (row, currency) => perHour(row, currency).text,
  },
  {
    key: "count",
    title: m.column_count,
    align: "end",
    width: 60,
    minimum: 44,
    yields: 0,
    sort: "count",
    largestFirst: true,
    usual: false,
    text: (row) => count(row.offer.gpu.count),
  },
  {
    key: "provider",
    title: m.column_provider,
    align: "start",
    width: 110,
    minimum: 70,
    yields: 0,
    sort: "provider",
    usual: false,
    text: (row) => row.provider_title,
  },
  {
    key: "form",
    title: m.column_form,
    align: "start",
    width: 100,
    minimum: 60,
    yields: 0,
    usual: false,
    text: (row) => words.form(row.offer.form),
  },
  {
    key: "kind",
    title: m.column_kind,
    align: "start",
    width: 96,
    minimum: 60,
    yields: 0,
    usual: false,
    text: (row) => words.kind(row.offer.price.kind),
  },
  {
    key: "vcpu",
    title: m.column_vcpu,
    align: "end",
    width: 62,
    minimum: 48,
    yields: 0,
    sort: "vcpu",
    largestFirst: true,
    usual: false,
    text: (row) => given(row.offer.vcpu, (n) => number(n, 0, 1)),
  },
  {
    key: "ram",
    title: m.column_ram,
    align: "end",
    width: 88,
    minimum: 64,
    yields: 0,
    sort: "ram",
    largestFirst: true,
    usual: false,
    text: (row) => given(row.offer.ram_gib, units.gib),
  },
  {
    key: "disk",
    title: m.column_disk,
    align: "end",
    width: 130,
    minimum: 80,
    yields: 0,
    usual: false,
    text: ({ offer: { disk } }) => pair(given(disk.included_gb, units.gb), given(disk.max_gb, units.gb)),
  },
  {
    key: "net",
    title: m.column_net,
    align: "end",
    width: 150,
    minimum: 90,
    yields: 0,
    usual: false,
    text: ({ offer: { net } }) =>
      pair(given(net.down_mbit_s, units.network), given(net.up_mbit_s, units.network)),
  },
  {
    key: "tflops",
    title: m.column_tflops,
    align: "end",
    width: 104,
    minimum: 80,
    yields: 0,
    usual: false,
    text: (row) => given(row.offer.gpu.bf16_tflops, units.tflops),
  },
  {
    key: "cuda",
    title: m.column_cuda,
    align: "end",
    width: 60,
    minimum: 48,
    yields: 0,
    usual: false,
    text: (row) => row.offer.cuda,
  },
  {
    key: "reliability",
    title: m.column_reliability,
    align: "end",
    width: 84,
    minimum: 60,
    yields: 0,
    usual: false,
    text: (row) => given(row.offer.reliability, share),
  },
  {
    key: "supply",
    title: m.column_supply,
    align: "start",
    width: 100,
    minimum: 64,
    yields: 0,
    usual: false,
    text: ({ offer: { supply } }) =>
      supply.state === "unknown"
        ? null
        : supply.count !== null
          ? m.supply_count({ n: count(supply.count) })
          : words.supply(supply.state),
  },
  {
    key: "age",
    title: m.column_age,
    align: "end",
    width: 100,
    minimum: 64,
    yields: 0,
    sort: "age",
    usual: false,
    text: (row) => ago(row.age_s),
  },
  {
    key: "seller",
    title: m.column_seller,
    align: "start",
    width: 110,
    minimum: 60,
    yields: 0,
    usual: false,
    text: (row) => given(row.offer.place.seller, country),
  },
  {
    key: "source",
    title: m.column_source,
    align: "start",
    width: 92,
    minimum: 60,
    yields: 0,
    usual: false,
    text: (row) => words.source(row.offer.source),
  },
  {
    key: "raw",
    title: m.column_raw,
    align: "start",
    width: 150,
    minimum: 70,
    yields: 0,
    usual: false,
    text: (row) => row.offer.gpu.raw_name,
  },
  {
    key: "name",
    title: m.column_name,
    align: "start",
    width: 150,
    minimum: 70,
    yields: 0,
    usual: false,
    text: (row) => row.offer.name,
  },
  {
    key: "billing",
    title: m.column_billing,
    align: "start",
    width: 170,
    minimum: 80,
    yields: 0,
    usual: false,
    text: billing,
  },
];

const byKey = new Map(offerColumns.map((column) => [column.key, column]));

/** A column with what a person chose for it. */
export interface Chosen {
  column: OfferColumn;
  shown: boolean;
  width: number | null;
}

/** All columns in the chosen order. Columns a later version brought stand at the end, shown if they usually are. */
export function chosenColumns(choices: readonly ColumnChoice[]): Chosen[] {
  const known = choices.flatMap((choice) => {
    const column = byKey.get(choice.key);
    return column ? [{ column, shown: choice.shown || column.key === "offer", width: choice.width }] : [];
  });
  const rest = offerColumns.filter((column) => !choices.some((choice) => choice.key === column.key));
  return [...known, ...rest.map((column) => ({ column, shown: column.usual, width: null }))];
}

/** As the settings keep it. */
export function asChoices(chosen: readonly Chosen[]): ColumnChoice[] {
  return chosen.map(({ column, shown, width }) => ({ key: column.key, shown, width }));
}

/** Moves a column in front of another, or to the end. The first one names the row and stays. */
export function moved(chosen: readonly Chosen[], key: string, before: string | null): Chosen[] {
  const moving = chosen.find(({ column }) => column.key === key);
  if (!moving || key === "offer") return [...chosen];
  const rest = chosen.filter((other) => other !== moving);
  const place = before === null ? rest.length : rest.findIndex(({ column }) => column.key === before);
  return rest.toSpliced(Math.max(1, place === -1 ? rest.length : place), 0, moving);
}

/** Room for the widest of some texts, so that a total is never cut off. */
export function roomFor(texts: readonly (string | null)[], least: number): number {
  const padding = 18;
  return Math.max(least, ...texts.map((text) => (text === null ? 0 : textWidth(text) + padding)));
}

/** The columns of the grid: the chosen ones, the total only where there is a job. */
export function gridColumns(
  chosen: readonly Chosen[],
  currency: string,
  totals: readonly (string | null)[] | null,
): GridColumn[] {
  return chosen
    .filter(({ column, shown }) => shown && (column.key !== "total" || totals !== null))
    .map(({ column, width }) => ({
      ...column,
      title: column.title(currency),
      width: width ?? (column.key === "total" ? roomFor(totals ?? [], column.width) : column.width),
      // A width set by hand is kept, so the column no longer takes what is left over.
      grows: column.grows === true && width === null,
    }));
}
