import { m } from "../../paraglide/messages.js";
import { amount, exact, fine, money, moneyRange, small, symbol } from "../format/money";
import { noBreak } from "../format/number";
import { step } from "../format/time";
import type { OfferRow } from "../host/bindings";

/** A price with the currency it is shown in. */
export interface Shown {
  text: string;
  /** Whether there was no rate, so that it stands in the provider's own currency. */
  foreign: boolean;
}

/** A price in the display currency, or in the provider's own where no rate is known. */
function shown(
  converted: string | null,
  own: string,
  ownCurrency: string,
  currency: string,
  withSign: boolean,
): Shown {
  if (converted !== null) return { text: (withSign ? money : amount)(converted, currency), foreign: false };
  return { text: money(own, ownCurrency), foreign: ownCurrency !== currency };
}

/** The price as its seller bills it, where that is not by the hour: `$0.00116/s`, `$0.13 / $0.40` for tokens in and out. */
export function metered(row: OfferRow, long = false): string | null {
  const { meter, currency } = row.offer.price;
  if (meter?.per_second) return m.meter_second({ price: small(meter.per_second, currency) });
  if (!meter?.per_million_in || !meter.per_million_out) return null;
  const tokens = {
    input: small(meter.per_million_in, currency),
    output: small(meter.per_million_out, currency),
  };
  return long ? m.meter_tokens_long(tokens) : m.meter_tokens(tokens);
}

/** Price of a card-hour; without its sign for a column whose head names the currency. */
export function perGpuHour(row: OfferRow, currency: string, withSign = false): Shown {
  const { price } = row.offer;
  return shown(row.per_gpu_hour, price.per_gpu_hour, price.currency, currency, withSign);
}

/** Price of a machine-hour; without its sign for a column whose head names the currency. */
export function perHour(row: OfferRow, currency: string, withSign = false): Shown {
  const { price } = row.offer;
  return shown(row.per_hour, price.per_hour, price.currency, currency, withSign);
}

/** What a price is put against: GiB of VRAM, dense BF16 TFLOPS, TB/s of memory bandwidth. The same words sort. */
export type Unit = "vram" | "tflops" | "bandwidth";

/** Price of a card-hour for each unit a card has; null where either is not known. */
export function perUnit(row: OfferRow, unit: Unit, currency: string): string | null {
  const { vram_gib, bf16_tflops, bandwidth_gb_s, fraction } = row.offer.gpu;
  // What a slice gets of the bandwidth is not stated.
  const speed = bandwidth_gb_s === null || fraction !== null ? null : bandwidth_gb_s / 1000;
  const tflops = bf16_tflops === null ? null : bf16_tflops * (fraction ?? 1);
  const size = { vram: vram_gib, tflops, bandwidth: speed }[unit];
  if (row.per_gpu_hour === null || !size) return null;
  return fine(Number(row.per_gpu_hour) / size, currency);
}

/** The job's total as a range; `≈` where a part of it is assumed. Null where there is none. */
export function jobTotal(row: OfferRow, currency: string): string | null {
  const { total_low: low, total_high: high } = row;
  if (low === null && high === null) return null;
  const marks = row.offer.total?.marks;
  const assumed = marks && [marks.compute, marks.storage, marks.egress].includes("assumed");
  const range =
    low !== null && high !== null
      ? moneyRange(low, high, currency)
      : `${low !== null ? "≥" : "≤"}${noBreak}${money(low ?? high ?? "0", currency)}`;
  return assumed ? `≈${noBreak}${range}` : range;
}

/** What a price column is headed with: `$ / GPU·h`. */
export function perGpuHourHead(currency: string): string {
  return m.head_per_gpu_hour({ currency: symbol(currency) });
}

/** Billing in one phrase: step, minimum, what a stopped disk costs. */
export function billing(row: OfferRow): string | null {
  const { price } = row.offer;
  const parts: string[] = [];
  if (price.increment_s !== null) parts.push(m.billing_step({ step: step(price.increment_s) }));
  if (price.minimum_s !== null && price.minimum_s > 0)
    parts.push(m.billing_minimum({ step: step(price.minimum_s) }));
  if (price.term !== null) parts.push(m.billing_term({ term: price.term }));
  return parts.length > 0 ? parts.join(", ") : null;
}

/** Disk, stopped disk and traffic, each with its unit; null where the provider does not say. */
export function extras(row: OfferRow): { disk: string | null; stopped: string | null; out: string | null } {
  const { price } = row.offer;
  const per = (value: string | null, say: (inputs: { price: string }) => string) =>
    value === null ? null : Number(value) === 0 ? m.free() : say({ price: exact(value, price.currency) });
  return {
    disk: per(price.storage_gb_month, m.per_gb_month),
    stopped: per(price.storage_stopped_gb_month, m.per_gb_month),
    out: per(price.egress_gb, m.per_gb),
  };
}
