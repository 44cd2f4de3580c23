import { createContext } from "svelte";

import { firstRequest } from "../../lib/buy/fields";
import type { Settings } from "../../lib/host/bindings";
import { Buy } from "./buy.svelte";
import { firstWork, Work } from "./work.svelte";

/** The two sides of the view. */
export type PlanTab = "workload" | "buy";

/** What the plan view shows. */
export class Plan {
  tab = $state<PlanTab>("workload");
  readonly work = new Work();
  readonly buy = new Buy(firstRequest("USD"));
  /** Key of the option that stands open in the list. */
  open = $state<string | null>(null);
  /** Whether what was planned in the last run was taken over. */
  restored = $state(false);

  /** Takes over what was planned and compared in the last run, once. */
  restore({ last_plan, last_buy, currency }: Settings): void {
    if (this.restored) return;
    this.restored = true;
    this.work.take(last_plan ?? firstWork(currency));
    this.buy.take(last_buy ?? firstRequest(currency));
  }
}

/** What this window plans, handed down from the root component. */
export const [getPlan, setPlan] = createContext<Plan>();
