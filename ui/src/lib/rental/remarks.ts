import { m } from "../../paraglide/messages.js";
import { money } from "../format/money";
import { duration, moment } from "../format/time";
import type { Remark, Ring } from "../host/bindings";
import { reasonText } from "../policy/reasons";
import { ringText } from "./guard";

type Words = Record<string, () => string>;

type Figures = Record<string, string>;

/** Null where the figures do not suffice: a desk of another version may send fewer. */
type Say = (figures: Figures) => string | null;

/** A sentence of these figures, all of which it needs. */
function of<Key extends string>(keys: readonly Key[], say: (given: Record<Key, string>) => string): Say {
  return (figures) =>
    keys.every((key) => figures[key] !== undefined) ? say(figures as Record<Key, string>) : null;
}

/** The first sentence that can be said. */
function first(...says: Say[]): Say {
  return (figures) => {
    for (const say of says) {
      const said = say(figures);
      if (said !== null) return said;
    }
    return null;
  };
}

const range = (low: string, high: string) => {
  const [from, to] = [duration(Number(low)), duration(Number(high))];
  return from === to ? from : m.range({ from, to });
};

const remarks: Record<string, Say> = {
  // Of a rental.
  "no-gpu": () => m.remark_no_gpu(),
  "still-billed": first(of(["word"], m.remark_still_billed_word), () => m.remark_still_billed()),
  locked: () => m.remark_locked(),
  mismatch: first(
    of(["what", "found", "offered"], ({ what, found, offered }) =>
      m.remark_mismatch_of({ what: differenceName(what), found, offered }),
    ),
    () => m.story_differs(),
  ),
  unclear: () => m.story_unclear(),
  missed: () => m.story_missed(),
  untold: () => m.remark_untold(),
  offline: () => m.remark_offline(),
  ends: of(["at"], ({ at }) => m.remark_ends({ when: moment(at) })),
  "lease-over": first(
    of(["at"], ({ at }) => m.remark_lease_over({ when: moment(at) })),
    () => m.lease_over(),
  ),
  "lease-ends": of(["at"], ({ at }) => m.remark_lease_ends({ when: moment(at) })),
  "price-rise": first(
    of(["per_hour", "currency", "at"], ({ per_hour, currency, at }) =>
      m.remark_price_rise_from({ price: money(per_hour, currency), when: moment(at) }),
    ),
    of(["per_hour", "currency"], ({ per_hour, currency }) =>
      m.remark_price_rise({ price: money(per_hour, currency) }),
    ),
  ),
  "provider-says": of(["words"], m.provider_says),
  // Before a launch.
  practice: () => m.practice_text(),
  booking: () => m.remark_booking(),
  "no-account": of(["provider"], m.remark_no_account),
  "not-live": of(["provider"], m.remark_not_live),
  "no-stop": first(of(["provider"], m.remark_no_stop), () => m.remark_stop_none()),
  "stop-saves-nothing": first(of(["provider"], m.remark_stop_saves_nothing_at), () =>
    m.remark_stop_saves_nothing(),
  ),
  "start-may-wait": () => m.stop_start_may_wait(),
  "may-be-taken": first(of(["provider"], m.remark_may_be_taken), () => m.remark_spot()),
  "shared-host": () => m.remark_shared_host(),
  arm64: () => m.remark_arm(),
  "long-lease": of(["days"], m.remark_long_lease),
  "account-says": of(["account", "words"], m.remark_account_says),
  "read-only-key": first(of(["account", "rights"], m.remark_key_rights), () => m.remark_read_only_key()),
  "balance-low": first(
    of(["account", "balance", "hour", "currency", "at"], ({ account, balance, hour, currency, at }) =>
      m.remark_balance_low_at({
        account,
        balance: money(balance, currency),
        hour: money(hour, currency),
        when: moment(at),
      }),
    ),
    of(["account", "balance", "hour", "currency"], ({ account, balance, hour, currency }) =>
      m.remark_balance_low({ account, balance: money(balance, currency), hour: money(hour, currency) }),
    ),
  ),
  "over-spend-limit": of(["account", "limit", "currency"], ({ account, limit, currency }) =>
    m.remark_over_limit({ account, limit: money(limit, currency) }),
  ),
  // Machines rented before.
  "were-ready": of(["n", "of", "low_s", "high_s"], ({ n, of: all, low_s, high_s }) =>
    m.remark_were_ready({ n, of: all, span: range(low_s, high_s) }),
  ),
  "were-not-as-offered": of(["n", "of"], m.remark_were_not_as_offered),
  failed: of(["n", "of"], m.remark_failed),
  "were-taken": of(["n", "of"], m.remark_were_taken),
  // Before an end.
  "gpu-process": of(["program"], m.remark_gpu_process),
  "logged-in": of(["login"], m.remark_logged_in),
  "booking-ends": () => m.remark_booking_ends(),
  "disk-goes": () => m.remark_disk_goes(),
  "stop-keeps-disk": of(["provider"], m.remark_stop_keeps_disk),
  "not-placed": () => m.remark_not_placed(),
  "leftovers-unknown": of(["words"], m.remark_leftovers_unknown),
};

const rings: Words = {
  "provider-unset": m.ring_unset,
  "provider-blind": m.ring_blind,
  "provider-none": m.ring_none_here,
  "provider-unneeded": m.box_unneeded,
  "provider-will": m.ring_will,
  "provider-armed": m.ring_armed,
  "box-none": m.box_none,
  "box-unneeded": m.box_unneeded,
  "box-here": m.box_here,
  "box-unset": m.box_unset,
  "box-failed": m.box_failed,
  "box-fired": m.box_fired,
  "box-armed": m.box_armed,
  "box-will": m.box_will,
  "desk-guards": m.ring_guards,
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
  return remarks[remark.code]?.(remark.figures) ?? reasonText(remark.code, remark.figures) ?? remark.text;
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
