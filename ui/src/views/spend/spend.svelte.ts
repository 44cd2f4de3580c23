import { createContext } from "svelte";

import type { BudgetDto, SpendRequest } from "../../lib/host/bindings";
import { daysOf, shifted, thisMonth, type Period } from "../../lib/spend/period";
import { sums, type SumBy } from "../../lib/spend/words";
import { clock } from "../../lib/ui/clock.svelte";

/** A sheet of the view. */
export type SpendSheet = { kind: "period" } | { kind: "budget"; budget: BudgetDto | null };

/** What the spend view shows. */
export class Spend {
  by = $state<SumBy>("provider");
  period = $state.raw<Period>(thisMonth);
  sheet = $state.raw<SpendSheet | null>(null);
  /** Whether there is no room for budgets and waste beside the figures; they then lie over them. */
  narrow = $state(false);
  panelOver = $state(false);
  /** Whether the panel beside the figures was put away. */
  folded = $state(false);

  /** Whether the panel is on the screen. */
  get panel(): boolean {
    return this.narrow ? this.panelOver : !this.folded;
  }

  set panel(open: boolean) {
    if (this.narrow) this.panelOver = open;
    else this.folded = !open;
  }

  /** What the desk is asked for. */
  request(currency: string): SpendRequest {
    return { by: this.by, ...daysOf(this.period, clock.now), currency };
  }

  /** Goes to the period so many after this one; stays where there is none yet. */
  step(by: number): void {
    this.period = shifted(this.period, by, Date.now()) ?? this.period;
  }

  /** Sums by the next thing. */
  next(): void {
    this.by = sums[(sums.indexOf(this.by) + 1) % sums.length] ?? "provider";
  }
}

/** What this window shows of spending, handed down from the root component. */
export const [getSpend, setSpend] = createContext<Spend>();
