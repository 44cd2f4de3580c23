import { number } from "../format/number";
import type { OfferRow } from "../host/bindings";

/** `8× H100 SXM`; a slice of a card by its share: `0.5× L40S`; a model's name alone where its tokens are sold. */
export function title(row: OfferRow): string {
  const { count, fraction } = row.offer.gpu;
  if (count === 0) return row.gpu_title;
  return `${fraction === null ? count : number(fraction, 0, 3)}× ${row.gpu_title}`;
}

/** Who rents it out; for an aggregator the cloud whose iron it is comes first. */
export function seller(row: OfferRow): string {
  return row.cloud_title ? `${row.cloud_title} · ${row.provider_title}` : row.provider_title;
}

/** One short name for chips and lists, in which what differs most comes first: `8× H100 SXM FI Verda`. */
export function shortTitle(row: OfferRow): string {
  return [title(row), row.offer.place.country, row.cloud_title ?? row.provider_title]
    .filter((part) => part)
    .join(" ");
}
