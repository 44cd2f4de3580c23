import { m } from "../../paraglide/messages.js";
import type { Remark, Ring } from "../host/bindings";
import { ringText } from "./guard";

type Words = Record<string, () => string>;

const remarks: Words = {
  "no-gpu": m.remark_no_gpu,
  "still-billed": m.remark_still_billed,
  locked: m.remark_locked,
  "stop-saves-nothing": m.remark_stop_saves_nothing,
  "stop-none": m.remark_stop_none,
  "not-guarded-asleep": m.remark_not_guarded,
  "keys-late": m.remark_keys_late,
  "proxy-only": m.proxy_shell_only,
  spot: m.remark_spot,
  bid: m.remark_bid,
  "shared-host": m.remark_shared_host,
  "balance-low": m.remark_balance_low,
  "balance-unknown": m.remark_balance_unknown,
  "price-unknown": m.price_unknown,
  "country-unknown": m.flag_country_unknown,
  stale: m.flag_stale,
  practice: m.practice_text,
};

const rings: Words = {
  armed: m.ring_on,
  "none-here": m.ring_none_here,
  "not-yet": m.ring_not_yet,
  "desk-awake": m.ring_awake,
  "desk-only": m.ring_awake,
};

const differences: Words = {
  gpu: m.column_gpu,
  "gpu-name": m.column_gpu,
  "gpu-count": m.column_count,
  count: m.column_count,
  vram: m.column_vram_each,
  "vram-gib": m.column_vram_each,
  country: m.fact_place,
  place: m.fact_place,
  region: m.fact_region,
  cuda: m.column_cuda,
  driver: m.difference_driver,
  clock: m.difference_clock,
};

const forwardStates: Words = {
  opening: m.forward_opening,
  retrying: m.forward_retrying,
  failed: m.copy_failed,
};

/** Names of products are the same in every language. */
const presets: Record<string, string> = { jupyter: "Jupyter", tensorboard: "TensorBoard", vllm: "vLLM" };

/** A remark in the reader's language; one this window has no words for is shown as the desk says it. */
export function remarkText(remark: Remark): string {
  return remarks[remark.code]?.() ?? remark.text;
}

/** What a ring does and why. */
export function ringWhy(ring: Ring): string {
  return rings[ring.code]?.() ?? (ring.why || ringText(ring));
}

/** What was compared. */
export function differenceName(what: string): string {
  return differences[what]?.() ?? what;
}

/** How a port forward fares, where it is not simply open. */
export function forwardState(state: string): string {
  return forwardStates[state]?.() ?? state;
}

/** The program behind a port. */
export function presetName(preset: string): string {
  return presets[preset] ?? preset;
}
