import { m } from "../../paraglide/messages.js";
import { given } from "../format/given";
import { symbol } from "../format/money";
import { count, number, share } from "../format/number";
import { country } from "../format/place";
import { ago } from "../format/time";
import * as units from "../format/units";
import type { OfferRow } from "../host/bindings";
import type { GridColumn } from "../ui/grid/columns";
import { billing, perGpuHourHead, perHour, perUnit } from "./price";
import * as words from "./words";

/** A column of the offers table. `text` is left out where the cell is more than a text. */
export interface OfferColumn extends Omit<GridColumn, "title" | "hint"> {
  title: (currency: string) => string;
  /** Shown unless a person says otherwise. */
  usual: boolean;
  text?: (row: OfferRow, currency: string) => string | null;
}

type Text = NonNullable<OfferColumn["text"]>;
type More = Partial<Pick<OfferColumn, "sort" | "largestFirst" | "grows" | "pinned" | "text">>;

function pair(first: string | null, second: string | null): string | null {
  return first === null && second === null ? null : `${first ?? "–"} / ${second ?? "–"}`;
}

/** A column that is usually there. `yields` says which gives way first where room is short: the highest. */
function usual(
  key: string,
  title: OfferColumn["title"],
  align: OfferColumn["align"],
  [minimum, width]: [number, number],
  yields: number,
  more: More = {},
): OfferColumn {
  return { key, title, align, minimum, width, yields, usual: true, ...more };
}

/** A column that is there when somebody wants it; then it does not give way. */
function wanted(
  key: string,
  title: OfferColumn["title"],
  align: OfferColumn["align"],
  [minimum, width]: [number, number],
  text: Text,
  more: More = {},
): OfferColumn {
  return { key, title, align, minimum, width, yields: 0, usual: false, text, ...more };
}

const perVramHead = (currency: string) => m.head_per_unit({ currency: symbol(currency), unit: "GiB" });
const perTflopsHead = (currency: string) => m.head_per_unit({ currency: symbol(currency), unit: "TFLOPS" });
const perSpeedHead = (currency: string) => m.head_per_unit({ currency: symbol(currency), unit: "TB/s" });
const hourHead = (currency: string) => m.head_per_hour({ currency: symbol(currency) });

const supply: Text = ({ offer }) => {
  const { state, count: known } = offer.supply;
  if (state === "unknown") return null;
  return known === null ? words.supply(state) : m.supply_count({ n: count(known) });
};

const disk: Text = ({ offer }) =>
  pair(given(offer.disk.included_gb, units.gb), given(offer.disk.max_gb, units.gb));

const net: Text = ({ offer }) =>
  pair(given(offer.net.down_mbit_s, units.network), given(offer.net.up_mbit_s, units.network));

const largest = { largestFirst: true };

/** Every column there is, in the usual order. What the row is and what it costs never gives way. */
export const offerColumns: readonly OfferColumn[] = [
  usual("offer", m.column_offer, "start", [300, 300], 0, { grows: true, pinned: true, sort: "model" }),
  usual("price", perGpuHourHead, "end", [72, 90], 0, { pinned: true, sort: "gpu-hour" }),
  usual("change", m.column_change, "end", [52, 60], 6),
  usual("total", m.column_total, "end", [84, 92], 0, { sort: "total" }),
  usual("place", m.column_place, "start", [64, 84], 2, { sort: "place" }),
  usual("vram", m.column_vram, "end", [70, 78], 3, { sort: "vram-size", ...largest }),
  usual("bandwidth", m.column_bandwidth, "end", [80, 84], 4, { sort: "bandwidth-size", ...largest }),
  usual("link", m.column_link, "start", [70, 96], 5),
  usual("age", m.column_age, "end", [64, 104], 7, { sort: "age", text: (row) => ago(row.age_s) }),
  wanted("per-vram", perVramHead, "end", [72, 96], (row, currency) => perUnit(row, "vram", currency), {
    sort: "vram",
  }),
  wanted("per-tflops", perTflopsHead, "end", [72, 110], (row, currency) => perUnit(row, "tflops", currency), {
    sort: "tflops",
  }),
  wanted("per-speed", perSpeedHead, "end", [72, 96], (row, currency) => perUnit(row, "bandwidth", currency), {
    sort: "bandwidth",
  }),
  wanted("machine", hourHead, "end", [64, 84], (row, currency) => perHour(row, currency).text, {
    sort: "machine-hour",
  }),
  wanted("count", m.column_count, "end", [44, 60], (row) => count(row.offer.gpu.count), {
    sort: "count",
    ...largest,
  }),
  wanted("provider", m.column_provider, "start", [70, 110], (row) => row.provider_title, {
    sort: "provider",
  }),
  wanted("form", m.column_form, "start", [60, 100], (row) => words.form(row.offer.form)),
  wanted("kind", m.column_kind, "start", [60, 96], (row) => words.kind(row.offer.price.kind)),
  wanted("vcpu", m.column_vcpu, "end", [48, 62], (row) => given(row.offer.vcpu, (n) => number(n, 0, 1)), {
    sort: "vcpu",
    ...largest,
  }),
  wanted("ram", m.column_ram, "end", [64, 88], (row) => given(row.offer.ram_gib, units.gib), {
    sort: "ram",
    ...largest,
  }),
  wanted("disk", m.column_disk, "end", [80, 130], disk),
  wanted("net", m.column_net, "end", [90, 150], net),
  wanted("tflops", m.column_tflops, "end", [80, 104], (row) =>
    given(row.offer.gpu.bf16_tflops, units.tflops),
  ),
  wanted("cuda", m.column_cuda, "end", [48, 60], (row) => row.offer.cuda),
  wanted("reliability", m.column_reliability, "end", [60, 84], (row) => given(row.offer.reliability, share)),
  wanted("supply", m.column_supply, "start", [64, 100], supply),
  wanted("seller", m.column_seller, "start", [60, 110], (row) => given(row.offer.place.seller, country)),
  wanted("source", m.column_source, "start", [60, 92], (row) => words.source(row.offer.source)),
  wanted("raw", m.column_raw, "start", [70, 150], (row) => row.offer.gpu.raw_name),
  wanted("name", m.column_name, "start", [70, 150], (row) => row.offer.name),
  wanted("billing", m.column_billing, "start", [80, 170], billing),
];
