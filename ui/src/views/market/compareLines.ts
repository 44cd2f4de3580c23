import { given } from "../../lib/format/given";
import { money } from "../../lib/format/money";
import { share } from "../../lib/format/number";
import { country } from "../../lib/format/place";
import { ago, step } from "../../lib/format/time";
import * as units from "../../lib/format/units";
import type { OfferRow } from "../../lib/host/bindings";
import { extras, perGpuHour, perHour } from "../../lib/offer/price";
import * as words from "../../lib/offer/words";
import { m } from "../../paraglide/messages.js";

interface Line {
  title: () => string;
  /** The fact in the reader's language; null where not said. Without it the desk's own text is shown. */
  show?: (row: OfferRow, currency: string) => string | null;
}

const lines: Record<string, Line> = {
  provider: { title: m.column_provider },
  cloud: { title: m.facet_cloud },
  gpu: { title: m.column_gpu },
  form: { title: m.column_form, show: (row) => words.form(row.offer.form) },
  isolation: { title: m.fact_isolation, show: (row) => given(row.offer.isolation, words.isolation) },
  kind: { title: m.column_kind, show: (row) => words.kind(row.offer.price.kind) },
  per_gpu_hour: { title: m.cost_gpu_hour, show: (row, currency) => perGpuHour(row, currency, true).text },
  per_hour: { title: m.cost_machine_hour, show: (row, currency) => perHour(row, currency, true).text },
  per_second: { title: m.meter_line_second },
  per_million_in: { title: m.meter_line_in },
  per_million_out: { title: m.meter_line_out },
  rent_page: { title: m.rent_page },
  total_low: {
    title: m.line_total_low,
    show: (row, currency) => given(row.total_low, (low) => money(low, currency)),
  },
  total_high: {
    title: m.line_total_high,
    show: (row, currency) => given(row.total_high, (high) => money(high, currency)),
  },
  vram_gib: { title: m.column_vram_each, show: (row) => given(row.offer.gpu.vram_gib, units.gib) },
  vram_total_gib: { title: m.column_vram, show: (row) => given(row.offer.gpu.vram_total_gib, units.gib) },
  bandwidth_gb_s: {
    title: m.column_bandwidth,
    show: (row) => given(row.offer.gpu.bandwidth_gb_s, units.bandwidth),
  },
  bf16_tflops: { title: m.column_tflops, show: (row) => given(row.offer.gpu.bf16_tflops, units.tflops) },
  link: { title: m.column_link },
  link_gb_s: { title: m.fact_link_speed, show: (row) => given(row.offer.gpu.link_gb_s, units.linkSpeed) },
  fabric: { title: m.fact_fabric },
  vcpu: { title: m.column_vcpu },
  ram_gib: { title: m.column_ram, show: (row) => given(row.offer.ram_gib, units.gib) },
  disk_included_gb: {
    title: m.fact_disk_included,
    show: (row) => given(row.offer.disk.included_gb, units.gb),
  },
  disk_max_gb: { title: m.fact_disk_max, show: (row) => given(row.offer.disk.max_gb, units.gb) },
  net_down_mbit_s: { title: m.fact_net_down, show: (row) => given(row.offer.net.down_mbit_s, units.network) },
  net_up_mbit_s: { title: m.fact_net_up, show: (row) => given(row.offer.net.up_mbit_s, units.network) },
  driver: { title: m.fact_driver },
  cuda: { title: m.column_cuda },
  reliability: { title: m.column_reliability, show: (row) => given(row.offer.reliability, share) },
  datacenter: {
    title: m.fact_host,
    show: (row) => given(row.offer.datacenter, words.host),
  },
  region: { title: m.fact_region },
  country: { title: m.fact_country, show: (row) => given(row.offer.place.country, country) },
  zones: {
    title: m.facet_zone,
    show: ({ offer: { place } }) => place.zones.map(words.zoneTag).join(", ") || null,
  },
  seller: { title: m.column_seller, show: (row) => given(row.offer.place.seller, country) },
  term: { title: m.line_term },
  increment_s: { title: m.line_increment, show: (row) => given(row.offer.price.increment_s, step) },
  minimum_s: { title: m.line_minimum, show: (row) => given(row.offer.price.minimum_s, step) },
  price_currency: { title: m.line_currency },
  seen_at: { title: m.column_age, show: (row) => ago(row.age_s) },
  storage_gb_month: { title: m.fact_disk_price, show: (row) => extras(row).disk },
  storage_stopped_gb_month: { title: m.fact_stopped_price, show: (row) => extras(row).stopped },
  egress_gb: { title: m.fact_out_price, show: (row) => extras(row).out },
  supply: {
    title: m.column_supply,
    show: ({ offer: { supply } }) => (supply.state === "unknown" ? null : words.supply(supply.state)),
  },
  source: { title: m.column_source, show: (row) => words.source(row.offer.source) },
};

/** The name of a line of the comparison; a line this window does not know yet keeps the desk's name. */
export function lineTitle(key: string): string {
  return lines[key]?.title() ?? key.replaceAll("_", " ");
}

/** One value of a line, in the reader's language where it is known how. */
export function lineValue(key: string, row: OfferRow, value: string | null, currency: string): string | null {
  const show = lines[key]?.show;
  return show ? show(row, currency) : value;
}

/** What the best of a line is called: cheapest where less is better, else best. */
export function bestName(key: string): string {
  return /hour|total|month|egress|price/.test(key) ? m.cheapest() : m.best();
}
