import { createContext } from "svelte";

import type { RentalDto, RentalsPage, UnmanagedDto } from "../../lib/host/bindings";
import { stateWord } from "../../lib/rental/state";

/** A row of the view: a rental of ours, or a machine that is not. */
export type Row =
  { key: string; ours: true; rental: RentalDto } | { key: string; ours: false; machine: UnmanagedDto };

/** Whether a row goes by this key, or by the name of our machine. */
export function isCalled(row: Row, key: string | null): boolean {
  return row.key === key || (row.ours && row.rental.name === key);
}

/** What tells a machine that is not ours apart. */
export function unmanagedKey(machine: Pick<UnmanagedDto, "account" | "remote_id">): string {
  return `${machine.account} ${machine.remote_id}`;
}

function words(row: Row): string {
  const parts = row.ours
    ? [
        row.rental.name,
        row.rental.title,
        row.rental.state,
        stateWord(row.rental.state),
        row.rental.owner,
        row.rental.project,
        row.rental.provider_title,
        row.rental.account,
      ]
    : [
        row.machine.name,
        row.machine.title,
        row.machine.state,
        stateWord(row.machine.state),
        row.machine.account,
      ];
  return parts
    .filter((part) => part)
    .join(" ")
    .toLowerCase();
}

/** The rows that hold every typed word, ours first. */
export function rowsOf(page: RentalsPage | undefined, filter: string, ignored: boolean): Row[] {
  const asked = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const rows: Row[] = [
    ...(page?.rentals ?? []).map((rental) => ({ key: rental.id, ours: true as const, rental })),
    ...(page?.unmanaged ?? [])
      .filter((machine) => ignored || !machine.ignored)
      .map((machine) => ({ key: unmanagedKey(machine), ours: false as const, machine })),
  ];
  return rows.filter((row) => {
    const held = words(row);
    return asked.every((word) => held.includes(word));
  });
}

/** What the rentals view shows. */
export class Rentals {
  filter = $state("");
  /** Whether those that are over, and the machines left out of sight, are shown too. */
  all = $state(false);
  /** The row the keys act on, by its key. */
  selected = $state<string | null>(null);
  /** Whether there is no room for the details beside the table; they then lie over it. */
  narrow = $state(false);
  detailsOver = $state(false);
  /** Whether the details beside the table were put away. */
  folded = $state(false);

  /** Opens the details of a row. */
  open(key: string): void {
    this.selected = key;
    this.detailsOver = true;
    this.folded = false;
  }

  /** Puts the details away. */
  close(): void {
    this.detailsOver = false;
    if (!this.narrow) this.folded = true;
  }
}

/** The rentals of this window, handed down from the root component. */
export const [getRentals, setRentals] = createContext<Rentals>();
