import { m } from "../../paraglide/messages.js";
import { moneyRange } from "../format/money";
import { dash, noBreak, number, share } from "../format/number";
import { duration } from "../format/time";
import type { AssumptionDto, MemoryPartsDto, PlanOptionDto, RangeDto, SpanDto } from "../host/bindings";

/** What can be planned, in the order of the choice. */
export const tasks = ["finetune", "training", "batch", "realtime", "notebook"] as const;

const taskWords: Record<string, () => string> = {
  training: m.task_training,
  finetune: m.task_finetune,
  batch: m.task_batch,
  realtime: m.task_realtime,
  notebook: m.task_notebook,
};

/** A kind of work in words. */
export function taskWord(task: string): string {
  return taskWords[task]?.() ?? task;
}

/** Parts of the memory in the order of the picture, each with its colour. */
export const memoryParts: { key: keyof MemoryPartsDto; part: string; label: () => string; colour: string }[] =
  [
    { key: "weights_gib", part: "weights", label: m.memory_weights, colour: "var(--chart-1)" },
    { key: "optimizer_gib", part: "optimizer", label: m.memory_optimizer, colour: "var(--chart-2)" },
    { key: "gradients_gib", part: "gradients", label: m.memory_gradients, colour: "var(--chart-3)" },
    { key: "activations_gib", part: "activations", label: m.memory_activations, colour: "var(--chart-4)" },
    { key: "kv_cache_gib", part: "kv_cache", label: m.memory_kv, colour: "var(--chart-5)" },
    { key: "overhead_gib", part: "overhead", label: m.memory_overhead, colour: "var(--chart-other)" },
  ];

const links: Record<string, () => string> = {
  none: m.plan_link_none,
  pcie: m.plan_link_pcie,
  nvlink: m.plan_link_nvlink,
  infiniband: m.plan_link_infiniband,
};

/** What must be between the cards. */
export function linkWord(link: string): string {
  return links[link]?.() ?? link;
}

/** GiB, as exact as its size asks. */
export function gibShort(value: number): string {
  return number(value, 0, value < 10 ? 1 : 0);
}

/** GiB of a range. */
export function gibRange({ low, high }: SpanDto): string {
  if (low === null) return dash;
  const from = gibShort(low);
  if (high === null) return `≥${noBreak}${from}${noBreak}GiB`;
  const to = gibShort(high);
  return `${from === to ? to : `${from}${dash}${to}`}${noBreak}GiB`;
}

/** Hours of a range, in the units that a person reads. */
export function hoursRange({ low, high }: SpanDto): string {
  if (low === null) return dash;
  const [from, to] = [duration(low * 3600), high === null ? null : duration(high * 3600)];
  if (to === null) return `≥${noBreak}${from}`;
  return from === to ? from : `${from} ${dash} ${to}`;
}

/** A share of a range. */
export function shareRange({ low, high }: SpanDto): string {
  if (low === null) return dash;
  const [from, to] = [share(low), share(high ?? 1)];
  return from === to ? from : `${from} ${dash} ${to}`;
}

/** Money of a range. */
export function totalRange({ low, high }: RangeDto, currency: string): string {
  return moneyRange(low, high, currency);
}

const assumptions: Record<string, () => string> = {
  training_utilisation: m.assume_training_utilisation,
  prefill_utilisation: m.assume_prefill_utilisation,
  decode_utilisation: m.assume_decode_utilisation,
  pcie_efficiency: m.assume_pcie_efficiency,
  full_training_flops: m.assume_full_training_flops,
  lora_flops: m.assume_lora_flops,
  qlora_slowdown: m.assume_qlora_slowdown,
  optimizer_bytes: m.assume_optimizer_bytes,
  gradient_bytes: m.assume_gradient_bytes,
  lora_rank: m.assume_lora_rank,
  int4_bits: m.assume_int4_bits,
  kv_cache_bytes: m.assume_kv_cache_bytes,
  kept_activation_bytes: m.assume_kept_activation_bytes,
  layer_activation_bytes: m.assume_layer_activation_bytes,
  logit_bytes: m.assume_logit_bytes,
  prefill_tokens: m.assume_prefill_tokens,
  gpu_overhead_gib: m.assume_gpu_overhead_gib,
  fragmentation_share: m.assume_fragmentation_share,
  output_share: m.assume_output_share,
  bytes_per_token: m.assume_bytes_per_token,
  reading_speed: m.assume_reading_speed,
  interruptions_per_hour: m.assume_interruptions_per_hour,
  restart_minutes: m.assume_restart_minutes,
};

/** An assumption in words, with the provider where it was measured; one without words here as the desk says it. */
export function assumptionWord({ name, about }: AssumptionDto): string {
  const [what = name, provider] = name.split(":");
  const word = assumptions[what]?.() ?? about;
  return provider ? `${word} (${provider})` : word;
}

const origins: Record<string, () => string> = {
  default: m.plan_origin_default,
  edited: m.buy_from_you,
  measured: m.plan_origin_measured,
  asked: m.plan_origin_asked,
};

/** Where an assumption is from. */
export function assumedBy(origin: string): string {
  return origins[origin]?.() ?? origin;
}

const units: Record<string, () => string> = {
  bytes: m.unit_bytes,
  bits: m.unit_bits,
  gib: () => "GiB",
  gb: () => "GB",
  tokens: m.unit_tokens,
  tokens_per_s: m.unit_tokens_s,
  hours: m.hour_short,
  minutes: m.unit_minutes,
  per_hour: m.unit_per_hour,
  factor: () => "×",
  flops: () => "FLOP",
  count: () => "",
  share: () => "%",
};

/** The unit of an assumption. */
export function unitWord(unit: string): string {
  return units[unit]?.() ?? unit;
}

/** A value of an assumption as it is typed: shares in percent. */
export function plainValue(unit: string, value: number): string {
  return number(unit === "share" ? value * 100 : value, 0, 4);
}

/** What was typed as a value of an assumption; null where it is no number. */
export function typedValue(unit: string, text: string): number | null {
  const value = Number(text.replaceAll(/\s/g, "").replace(",", "."));
  if (text.trim() === "" || !Number.isFinite(value)) return null;
  return unit === "share" ? value / 100 : value;
}

/** What tells one option from another: a slice of a card stands beside the whole card. */
export function optionKey({ offer, slice }: PlanOptionDto): string {
  return slice?.is_option ? `${offer.id} ${slice.profile}` : offer.id;
}

/** `8× H100 SXM`, or so many machines of them; a slice by its profile or share; tokens by their model alone. */
export function optionTitle({ offer, gpu_title, count, slice }: PlanOptionDto): string {
  if (slice?.is_option) return `${gpu_title} MIG ${slice.profile}`;
  const { count: cards, fraction } = offer.gpu;
  const machine =
    cards === 0 ? gpu_title : `${fraction === null ? cards : number(fraction, 0, 3)}× ${gpu_title}`;
  return count > 1 ? `${count} × (${machine})` : machine;
}
