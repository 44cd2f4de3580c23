import { m } from "../../paraglide/messages.js";

/** Every sort key of the contract with its name. */
const names: Record<string, () => string> = {
  "gpu-hour": m.sort_gpu_hour,
  "machine-hour": m.sort_machine_hour,
  total: m.sort_total,
  vram: m.sort_vram,
  tflops: m.sort_tflops,
  bandwidth: m.sort_bandwidth,
  age: m.sort_age,
  model: m.sort_model,
  count: m.sort_count,
  "vram-size": m.sort_vram_size,
  "bandwidth-size": m.sort_bandwidth_size,
  ram: m.sort_ram,
  vcpu: m.sort_vcpu,
  place: m.sort_place,
  provider: m.sort_provider,
};

/** Keys that compare what money buys, and keys of a column. */
export const sortGroups = {
  price: ["gpu-hour", "machine-hour", "total", "vram", "tflops", "bandwidth"],
  column: ["model", "count", "vram-size", "bandwidth-size", "ram", "vcpu", "place", "provider", "age"],
} as const;

/** The name of a sort key. */
export function sortName(key: string): string {
  return names[key]?.() ?? key;
}

/** Whether the first sort by this key is largest first. */
export function isLargestFirst(key: string): boolean {
  return ["count", "vram-size", "bandwidth-size", "ram", "vcpu"].includes(key);
}
