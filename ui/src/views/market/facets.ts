import type { TermName } from "../../lib/term/terms";
import { m } from "../../paraglide/messages.js";

const titles: Record<string, () => string> = {
  gpu: m.facet_gpu,
  vram: m.facet_vram,
  form: m.facet_form,
  kind: m.facet_kind,
  zone: m.facet_zone,
  link: m.facet_link,
  fabric: m.fact_fabric,
  cloud: m.facet_cloud,
  seller: m.facet_seller,
  supply: m.facet_supply,
  source: m.facet_source,
  policy: m.facet_policy,
};

const terms: Record<string, TermName> = {
  vram: "vram",
  form: "form",
  kind: "spot",
  zone: "residency",
  link: "nvlink",
  fabric: "infiniband",
  seller: "seller",
};

/** The heading of a facet. */
export function facetTitle(key: string): string {
  return titles[key]?.() ?? key;
}

/** The term that explains a facet, if it needs one. */
export function facetTerm(key: string): TermName | null {
  return terms[key] ?? null;
}

/** The steps of the VRAM slider: the sizes on the market, smallest first. */
export function vramSteps(values: readonly { value: string }[]): number[] {
  const sizes = values
    .map(({ value }) => Number.parseFloat(value))
    .filter((size) => Number.isFinite(size) && size > 0);
  return [...new Set(sizes)].sort((a, b) => a - b);
}
