import { m } from "../../paraglide/messages.js";
import type { SpendRow } from "../host/bindings";

/** What spending is summed by, in the order of the choice. */
export const sums = ["provider", "project", "owner", "gpu", "rental"] as const;

/** One of them. */
export type SumBy = (typeof sums)[number];

const titles: Record<SumBy, () => string> = {
  provider: m.account_provider,
  project: m.column_project,
  owner: m.column_owner,
  gpu: m.column_gpu,
  rental: m.column_machine,
};

/** What spending is summed by, in words. */
export function sumTitle(by: SumBy): string {
  return titles[by]();
}

/** The name of a line; of one without a key, that none was said. */
export function rowTitle(row: SpendRow, by: string): string {
  if (row.key !== "" || row.title !== "") return row.title || row.key;
  if (by === "project") return m.spend_none_project();
  return by === "owner" ? m.spend_none_owner() : m.spend_none_said();
}

const differences: Record<string, () => string> = {
  traffic: m.difference_traffic,
  "stopped-disk": m.difference_stopped_disk,
  disk: m.difference_disk,
  "price-change": m.difference_price_change,
  rounding: m.difference_rounding,
  tax: m.difference_tax,
  unexplained: m.difference_unexplained,
};

/** Why a bill differs, in words. */
export function differenceWord(kind: string): string {
  return differences[kind]?.() ?? kind;
}

/** By how many percent a bill differs from the desk's own figures; null where it has nothing to differ from. */
export function billedMore(row: SpendRow): number | null {
  if (row.billed === null) return null;
  const more = row.difference.reduce((sum, { amount }) => sum + Number(amount), 0);
  const own = Number(row.billed) - more;
  return own > 0 ? (more / own) * 100 : null;
}

const wastes: Record<string, () => string> = {
  idle: m.waste_idle,
  "stopped-disk": m.waste_stopped_disk,
  unmanaged: m.waste_unmanaged,
  leftover: m.waste_leftover,
  oversize: m.waste_oversize,
  "idle-capacity": m.waste_idle_capacity,
};

/** Why money does nothing, in words. */
export function wasteWord(kind: string): string {
  return wastes[kind]?.() ?? kind;
}

const remedies: Record<string, () => string> = {
  stop: m.stop_dots,
  end: m.end_dots,
  lease: m.remedy_lease,
  unmanaged: m.remedy_unmanaged,
  review: m.remedy_review,
  smaller: m.remedy_smaller,
  book: m.remedy_book,
};

/** The one thing to do about it; a word this window does not know leads to the machines. */
export function remedyWord(remedy: string): string {
  return remedies[remedy]?.() ?? m.remedy_review();
}
