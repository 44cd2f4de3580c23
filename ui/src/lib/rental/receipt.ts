import { m } from "../../paraglide/messages.js";
import { words } from "../error/russian";
import { exact } from "../format/money";
import { moment } from "../format/time";
import type { EventDto, RentalDetails, RentalDto } from "../host/bindings";
import { costPart } from "./costs";
import { stateWord } from "./state";
import { storyLine } from "./story";

/** One line: what it is of, and what is said. */
export interface ReceiptLine {
  label: string;
  text: string;
}

/** A part of a receipt. */
export interface ReceiptPart {
  title: string;
  lines: ReceiptLine[];
}

/** Events that prove that nothing is left. */
const PROOFS = new Set(["gone", "looked-again"]);
/** Events of the residency policy it was rented under. */
const POLICY = new Set(["policy-checked", "override"]);

function machine(rental: RentalDto, events: EventDto[]): ReceiptLine[] {
  const lines = [
    { label: m.receipt_state(), text: stateWord(rental.state) },
    { label: m.receipt_provider(), text: rental.account },
  ];
  if (rental.remote_id !== null) lines.push({ label: m.receipt_machine(), text: rental.remote_id });
  lines.push({ label: m.receipt_asked(), text: moment(rental.requested_at) });
  if (rental.ended_at !== null) lines.push({ label: m.receipt_gone(), text: moment(rental.ended_at) });
  if (rental.reason !== null) lines.push({ label: m.receipt_reason(), text: words(rental.reason) });
  for (const event of events.filter(({ event }) => POLICY.has(event))) {
    lines.push({ label: m.receipt_policy(), text: storyLine(event, rental) });
  }
  return lines;
}

function costs(rental: RentalDto, events: EventDto[]): ReceiptLine[] {
  const { parts, unknown, amount, currency } = rental.cost_so_far;
  const lines = Object.entries(parts).map(([kind, part]) => ({
    label: costPart(kind),
    text: exact(part, currency),
  }));
  for (const kind of unknown) lines.push({ label: costPart(kind), text: m.receipt_not_in_full() });
  const least = unknown.length > 0 ? "≥ " : "";
  lines.push({ label: m.receipt_total(), text: `${least}${exact(amount, currency)}` });
  lines.push({ label: m.receipt_traffic(), text: m.receipt_not_known() });
  const billed = events.findLast(({ event }) => event === "billed");
  if (billed) lines.push({ label: moment(billed.at), text: storyLine(billed, rental) });
  return lines;
}

function proofs(rental: RentalDto, events: EventDto[]): ReceiptLine[] {
  const found = events.filter(({ event }) => PROOFS.has(event));
  if (found.length === 0) return [{ label: m.receipt_proof(), text: m.receipt_nothing_made() }];
  return found.map((event) => ({ label: moment(event.at), text: storyLine(event, rental) }));
}

/** What is gone, who says so and what it cost, in the reader's language; null while something of it may be left. */
export function receiptOf({ rental, events, receipt }: RentalDetails): ReceiptPart[] | null {
  if (receipt === null) return null;
  return [
    { title: rental.name, lines: machine(rental, events) },
    { title: m.receipt_cost(), lines: costs(rental, events) },
    { title: m.receipt_proof(), lines: proofs(rental, events) },
  ];
}

/** The same as Markdown, to be pasted somewhere. */
export function receiptText(parts: ReceiptPart[]): string {
  const part = ({ title, lines }: ReceiptPart, index: number) => {
    const rows = lines.map(({ label, text }) => `- ${label}: ${text}`).join("\n");
    return `${index === 0 ? `# ${m.receipt()}:` : "##"} ${title}\n\n${rows}\n`;
  };
  return parts.map(part).join("\n");
}
