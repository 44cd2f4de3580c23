import { m } from "../../paraglide/messages.js";
import type { Chip } from "../host/bindings";

const keys: Record<string, () => string> = {
  count: m.chip_count,
  vram: m.chip_vram,
  ram: m.chip_ram,
  vcpu: m.chip_vcpu,
  price: m.chip_price,
  cuda: m.chip_cuda,
  zone: m.chip_zone,
  country: m.chip_country,
  seller: m.chip_seller,
  form: m.chip_form,
  cloud: m.chip_cloud,
  provider: m.chip_cloud,
  link: m.chip_link,
  source: m.chip_source,
  disk: m.chip_disk,
  kind: m.chip_kind,
  supply: m.chip_supply,
  reliability: m.chip_reliability,
  policy: m.chip_policy,
};

/** The parts of a chip as they are shown; a bare word (`h100`, `spot`) has neither key nor operator. */
export function chipParts(chip: Chip): { key: string; op: string; value: string } {
  if (chip.op === "") return { key: "", op: "", value: chip.value || chip.text };
  return { key: keys[chip.key]?.() ?? chip.key, op: chip.op, value: chip.value };
}

/** The chip in one phrase, for its buttons' names. */
export function chipName(chip: Chip): string {
  const { key, op, value } = chipParts(chip);
  const phrase = [key, op, value].filter((part) => part !== "").join(" ");
  return chip.negated ? m.chip_not({ term: phrase }) : phrase;
}
