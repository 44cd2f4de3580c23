import { m } from "../../paraglide/messages.js";
import type { Remark, Ring } from "../host/bindings";
import { ringText } from "./guard";

type Words = Record<string, () => string>;

const remarks: Words = {
  "no-gpu": m.remark_no_gpu,
  "still-billed": m.remark_still_billed,
  locked: m.remark_locked,
  mismatch: m.story_differs,
  unclear: m.story_unclear,
  missed: m.story_missed,
  untold: m.remark_untold,
  offline: m.remark_offline,
  "lease-over": m.lease_over,
  "no-stop": m.remark_stop_none,
  "stop-saves-nothing": m.remark_stop_saves_nothing,
  "start-may-wait": m.stop_start_may_wait,
  "may-be-taken": m.remark_spot,
  "shared-host": m.remark_shared_host,
  arm64: m.remark_arm,
  "read-only-key": m.remark_read_only_key,
  practice: m.practice_text,
};

const rings: Words = {
  "provider-unset": m.ring_unset,
  "provider-blind": m.ring_blind,
  "provider-none": m.ring_none_here,
  "box-later": m.ring_not_yet,
  "desk-watches": m.ring_watches,
  "desk-off": m.ring_off,
};

const differences: Words = {
  model: m.column_gpu,
  count: m.column_count,
  vram: m.column_vram_each,
  cuda: m.column_cuda,
  country: m.fact_place,
  region: m.fact_region,
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
