import { m } from "../../paraglide/messages.js";
import { words } from "../error/russian";
import { duration } from "../format/time";
import type { RentalDto } from "../host/bindings";

/** How a state looks. */
export type Tone = "good" | "busy" | "warn" | "bad" | "still";

const states: Record<string, { tone: Tone; word: () => string }> = {
  draft: { tone: "still", word: m.state_draft },
  requested: { tone: "busy", word: m.state_requested },
  provisioning: { tone: "busy", word: m.state_provisioning },
  booting: { tone: "busy", word: m.state_booting },
  verifying: { tone: "busy", word: m.state_verifying },
  ready: { tone: "good", word: m.state_ready },
  idle: { tone: "warn", word: m.activity_idle },
  stopping: { tone: "busy", word: m.state_stopping },
  stopped: { tone: "still", word: m.state_stopped },
  starting: { tone: "busy", word: m.state_starting },
  ending: { tone: "busy", word: m.state_ending },
  ended: { tone: "still", word: m.state_ended },
  failed: { tone: "bad", word: m.state_failed },
  lost: { tone: "bad", word: m.state_lost },
  preempted: { tone: "warn", word: m.state_preempted },
  // States of machines that are not ours, in addition.
  running: { tone: "warn", word: m.state_running },
  offline: { tone: "bad", word: m.state_offline },
  unknown: { tone: "bad", word: m.state_unknown },
};

/** The weight of a state. */
export function stateTone(state: string): Tone {
  return states[state]?.tone ?? "bad";
}

/** A state in words; one this window does not know is shown as it came. */
export function stateWord(state: string): string {
  return states[state]?.word() ?? state;
}

/** How long it usually takes until such a machine is up; null where nobody knows, or it is up. */
export function usualBoot(rental: RentalDto): string | null {
  if (!["requested", "provisioning", "booting", "starting"].includes(rental.state)) return null;
  if (rental.usual_boot_s === null) return null;
  const [low, high] = rental.usual_boot_s.map((seconds) => duration(seconds)) as [string, string];
  return m.usual_boot({ span: low === high ? low : m.range({ from: low, to: high }) });
}

/** What it waits for, or why it broke: the provider's words where it has any, else how long it usually takes. */
export function waitsFor(rental: RentalDto): string | null {
  return rental.reason === null ? usualBoot(rental) : words(rental.reason);
}
