import { createContext } from "svelte";

import type { Answers } from "../../lib/data/answers";
import type { BuyRequest, PlanOptionDto, PlanRequest, Policies } from "../../lib/host/bindings";
import { locale } from "../../lib/i18n/locale.svelte";
import { nameOf } from "../../lib/policy/ask";
import { m } from "../../paraglide/messages.js";
import type { MarketActions } from "../market/actions.svelte";

/** What can be done with a plan from anywhere: view, palette. Every outcome is told. */
export class PlanActions {
  constructor(
    readonly answers: Answers,
    readonly market: MarketActions,
    /** Opens the market. */
    readonly goMarket: () => void,
  ) {}

  /** Opens the launch sheet of an option, filled with what was planned. */
  rent(option: PlanOptionDto, plan: PlanRequest, policies: Policies | undefined): void {
    const { high, low } = option.hours;
    const hours = high ?? low;
    this.market.rent(option.offer.id, {
      name: nameOf(plan.model ?? plan.task),
      diskGb: plan.disk_gb,
      // A lease is a whole number of hours, and no shorter than the work.
      hours: hours === null ? plan.hours : Math.max(1, Math.ceil(hours)),
      project: policies?.projects.find(({ policy }) => policy === plan.policy)?.project ?? "",
    });
  }

  /** Shows an option in the market. */
  showOffer(id: string): void {
    this.goMarket();
    this.market.market.open(id);
  }

  /** Writes a report on renting or buying, opens it, and tells where it is. */
  async report(buy: BuyRequest, form: "csv" | "html"): Promise<void> {
    try {
      const request = { buy, form, language: locale.current, open: true };
      const { path } = await this.answers.call("buy_report", request);
      this.market.toasts.show({
        tone: "good",
        text: m.report_done(),
        detail: path,
        action: { label: m.copy_path(), run: () => void this.market.copyPlain(path) },
      });
    } catch (thrown) {
      this.market.failed("buy_report", thrown);
    }
  }
}

/** The actions of this window on plans, handed down from the root component. */
export const [getPlanActions, setPlanActions] = createContext<PlanActions>();
