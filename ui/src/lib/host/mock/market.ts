import type { OfferRow } from "../bindings";

// A small market that looks like the real one, for tests and for work on the looks. The figures are made up; the
// shapes are the desk's.

interface Card {
  name: string;
  vendor: string;
  vram: number;
  bandwidth: number;
  tflops: number;
  link: string;
  linkSpeed: number;
  price: number;
}

const cards: Card[] = [
  ["H100 SXM", "NVIDIA", 80, 3350, 989, "NVLink 4", 900, 2.1],
  ["H100 PCIe", "NVIDIA", 80, 2000, 756, "PCIe 5 x16", 128, 1.9],
  ["H200 SXM", "NVIDIA", 141, 4800, 989, "NVLink 4", 900, 2.9],
  ["B200 SXM", "NVIDIA", 180, 8000, 2250, "NVLink 5", 1800, 4.6],
  ["A100 SXM 80GB", "NVIDIA", 80, 2039, 312, "NVLink 3", 600, 1.3],
  ["L40S", "NVIDIA", 48, 864, 362, "PCIe 4 x16", 64, 0.8],
  ["RTX 4090", "NVIDIA", 24, 1008, 165.2, "PCIe 4 x16", 64, 0.35],
  ["T4", "NVIDIA", 16, 320, 65, "PCIe 3 x16", 32, 0.12],
  ["MI300X", "AMD", 192, 5300, 1307, "Infinity Fabric", 896, 2.2],
].map(([name, vendor, vram, bandwidth, tflops, link, linkSpeed, price]) => ({
  name,
  vendor,
  vram,
  bandwidth,
  tflops,
  link,
  linkSpeed,
  price,
})) as Card[];

const clouds = [
  {
    id: "verda",
    title: "Verda",
    seller: "FI",
    source: "catalogue",
    form: "vm",
    regions: ["FIN-03:FI", "FIN-02:FI"],
  },
  {
    id: "nebius",
    title: "Nebius",
    seller: "NL",
    source: "catalogue",
    form: "vm",
    regions: ["eu-north1:FI", "us-central1:US"],
  },
  {
    id: "hyperstack",
    title: "Hyperstack",
    seller: "GB",
    source: "catalogue",
    form: "vm",
    regions: ["NORWAY-1:NO", "CANADA-1:CA"],
  },
  {
    id: "vast",
    title: "Vast.ai",
    seller: "US",
    source: "live",
    form: "container",
    regions: ["Prague, CZ:CZ", "Sofia, BG:BG", "Texas, US:US"],
  },
  {
    id: "runpod",
    title: "RunPod",
    seller: "US",
    source: "live",
    form: "container",
    regions: ["EU-SE-1:SE", "US-TX-3:US"],
  },
  {
    id: "scaleway",
    title: "Scaleway",
    seller: "FR",
    source: "catalogue",
    form: "vm",
    regions: ["fr-par-2:FR"],
  },
  {
    id: "aws",
    title: "AWS",
    seller: "US",
    source: "catalogue",
    form: "vm",
    regions: ["eu-north-1:SE", "us-east-1:US", "eu-central-1:DE"],
  },
  { id: "lambda", title: "Lambda", seller: "US", source: "catalogue", form: "vm", regions: ["us-west-1:US"] },
] as const;

const eea = new Set(["FI", "NO", "CZ", "BG", "SE", "FR", "DE", "NL"]);
const ages: Record<string, number> = { vast: 120, runpod: 150, aws: 14_256_000 };

function pick<T>(list: readonly T[], n: number): T {
  return list[n % list.length] as T;
}

/** The row of a number; the same number always gives the same row. */
export function mockRow(n: number): OfferRow {
  const card = pick(cards, n * 7 + Math.floor(n / 9));
  const cloud = pick(clouds, n * 5 + Math.floor(n / 40));
  const [region = "", country = ""] = pick<string>(cloud.regions, n).split(":");
  const count = pick([8, 1, 4, 2, 8], n);
  const kind = cloud.id === "vast" && n % 3 === 0 ? "bid" : n % 6 === 1 ? "spot" : "on-demand";
  const each = card.price * (0.85 + ((n * 37) % 60) / 100) * (kind === "on-demand" ? 1 : 0.5);
  const perGpu = each.toFixed(4);
  const perHour = (each * count).toFixed(4);
  const live = cloud.source === "live";
  return {
    offer: {
      id: `${cloud.id}:${n}`,
      provider: cloud.id,
      cloud: cloud.id,
      source: cloud.source,
      name:
        cloud.id === "vast"
          ? String(31_000_000 + n)
          : `gpu-${count}x-${card.name.toLowerCase().replaceAll(" ", "-")}-${n}`,
      form: n % 23 === 0 ? "bare-metal" : cloud.form,
      isolation: cloud.form === "container" ? "shared-host" : "vm",
      gpu: {
        model: card.name,
        vendor: card.vendor,
        count,
        fraction: null,
        vram_gib: card.vram,
        vram_total_gib: card.vram * count,
        bandwidth_gb_s: card.bandwidth,
        bf16_tflops: card.tflops,
        link: card.link,
        link_gb_s: card.linkSpeed,
        raw_name: card.name.replace(" ", "_"),
      },
      fabric: count === 8 && card.link.startsWith("NVLink") && !live ? "InfiniBand 3200 Gb/s" : null,
      vcpu: count * 22,
      ram_gib: count * 185,
      disk: { included_gb: live ? 0 : null, max_gb: live ? 812 : null },
      net: { down_mbit_s: live ? 812 : null, up_mbit_s: live ? 712 : null },
      driver: live ? "570.86.10" : null,
      cuda: live ? "12.8" : null,
      reliability: cloud.id === "vast" ? 0.9 + ((n * 13) % 100) / 1000 : null,
      verified: cloud.id === "vast" ? n % 2 === 0 : null,
      datacenter: cloud.id === "vast" ? n % 3 === 0 : null,
      place: {
        region,
        country: n % 31 === 5 ? null : country,
        zones: eea.has(country) ? ["EEA"] : [country],
        seller: cloud.seller,
      },
      price: {
        kind,
        currency: "USD",
        per_hour: perHour,
        per_gpu_hour: perGpu,
        per_gpu_hour_usd: perGpu,
        term: null,
        increment_s: live ? 1 : 600,
        minimum_s: live ? 0 : null,
        storage_gb_month: live ? "0.2" : null,
        storage_stopped_gb_month: live ? "0.2" : null,
        egress_gb: live ? "0.003" : null,
        ingress_gb: null,
        meter: null,
      },
      supply: { state: live ? "in-stock" : "unknown", count: live ? 1 : null },
      seen_at: "2026-11-30T08:58:12Z",
      flags: cloud.id === "aws" ? ["stale"] : [],
      rentable: true,
      rent_page: null,
    },
    gpu_title: card.name,
    variant_unknown: n % 29 === 3,
    provider_title: cloud.title,
    cloud_title: null,
    per_gpu_hour: perGpu,
    per_hour: perHour,
    total_low: null,
    total_high: null,
    age_s: ages[cloud.id] ?? 86_400 * 3,
    change_30d: live ? ((n * 17) % 40) - 20 : null,
  };
}

/** A market of so many rows. */
export function mockMarket(rows: number): OfferRow[] {
  return Array.from({ length: rows }, (_, n) => mockRow(n));
}
