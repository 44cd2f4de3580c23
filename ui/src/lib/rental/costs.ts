import { m } from "../../paraglide/messages.js";

const parts: Record<string, () => string> = {
  compute: m.cost_cards,
  storage: m.cost_storage,
  "storage-stopped": m.cost_storage_stopped,
};

/** The name of a part of the costs. */
export function costPart(kind: string): string {
  return parts[kind]?.() ?? kind;
}
