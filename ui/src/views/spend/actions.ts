import { createContext } from "svelte";

import type { BudgetDto, BudgetSetRequest, RentalDto, SpendRequest, WasteDto } from "../../lib/host/bindings";
import { hostError } from "../../lib/host/host";
import { m } from "../../paraglide/messages.js";
import type { MarketActions } from "../market/actions.svelte";
import type { RentalActions } from "../rentals/actions.svelte";
import { unmanagedKey, type Rentals } from "../rentals/rentals.svelte";

/** What can be done about money from anywhere: view, palette. Every outcome is told. */
export class SpendActions {
  constructor(
    readonly market: MarketActions,
    readonly rentalActions: RentalActions,
    readonly rentals: Rentals,
    /** Opens another view. */
    readonly go: (view: "market" | "rentals" | "spend") => void,
  ) {}

  get #answers() {
    return this.rentalActions.answers;
  }

  get #toasts() {
    return this.rentalActions.toasts;
  }

  /** Writes a report, opens it, and tells where it is. */
  async report(spend: SpendRequest, form: "csv" | "html"): Promise<void> {
    try {
      const { path } = await this.#answers.call("spend_report", { spend, form, open: true });
      this.#toasts.show({
        tone: "good",
        text: m.report_done(),
        detail: path,
        action: { label: m.copy_path(), run: () => void this.market.copyPlain(path) },
      });
    } catch (thrown) {
      this.market.failed("spend_report", thrown);
    }
  }

  /** Does the one thing there is to do about waste: opens the sheet that asks, or the place where it can be seen. */
  async remedy(waste: WasteDto): Promise<void> {
    const { rental: id, remedy } = waste;
    if (remedy === "book") await this.#offers("cloud:own instock");
    else if (id === null) {
      const { account, remote_id } = waste;
      this.showRental(account && remote_id ? unmanagedKey({ account, remote_id }) : null);
    } else if (remedy === "stop" || remedy === "end" || remedy === "lease") {
      const rental = await this.#rental(id);
      if (!rental) return;
      // What the list says may be older than the machine, or its cloud knows no stop: a sheet for what cannot be done
      // would only refuse. The lease's says what there is instead.
      if (remedy !== "lease" && rental.actions.includes(remedy))
        this.rentalActions.sheet = { kind: remedy, rental };
      else if (remedy !== "end" && !rental.over) this.rentalActions.sheet = { kind: "lease", rental };
      else this.showRental(id);
    } else if (remedy === "smaller") {
      const rental = await this.#rental(id);
      if (rental) await this.#smaller(rental);
    } else this.showRental(id);
  }

  /** Shows a machine among the rentals, whatever they were filtered by. */
  showRental(key: string | null): void {
    this.rentals.filter = "";
    if (key !== null) this.rentals.open(key);
    this.go("rentals");
  }

  async #rental(id: string): Promise<RentalDto | null> {
    try {
      return (await this.#answers.call("rental_get", { rental: id })).rental;
    } catch (thrown) {
      this.market.failed("rental_get", thrown);
      return null;
    }
  }

  /** Looks for less of the same: fewer cards, or a card with less memory. */
  async #smaller(rental: RentalDto): Promise<void> {
    const gpu = rental.offer?.gpu;
    const line =
      gpu && gpu.count > 1 && gpu.model
        ? `gpu:${gpu.model.replaceAll(" ", "_")} x${Math.floor(gpu.count / 2)}`
        : gpu?.vram_gib
          ? `x1 vram<${gpu.vram_gib}`
          : null;
    await this.#offers(line);
  }

  async #offers(line: string | null): Promise<void> {
    const { market } = this.market;
    this.go("market");
    market.tab = "offers";
    if (line !== null) await market.line.replace(line);
  }

  /** Shows an offer that would have been cheaper. */
  showOffer(id: string): void {
    this.go("market");
    this.market.market.open(id);
  }

  /** Sets a budget; rejects with what was wrong, for the sheet to show. */
  async setBudget(budget: BudgetSetRequest): Promise<void> {
    try {
      this.#put(await this.#answers.call("budget_set", budget));
    } catch (thrown) {
      throw hostError("budget_set", thrown);
    }
    this.#toasts.show({ tone: "good", text: m.budget_saved({ name: budget.name }) });
  }

  /** Removes a budget; it can be had back as it was. */
  async removeBudget(budget: BudgetDto): Promise<void> {
    try {
      this.#put(await this.#answers.call("budget_remove", { name: budget.name }));
      const { name, scope, of, period, amount, currency, thresholds, hard } = budget;
      const before = { name, scope, of, period, amount, currency, thresholds, hard };
      this.#toasts.show({
        tone: "plain",
        text: m.budget_removed({ name }),
        action: {
          label: m.undo(),
          run: () => void this.setBudget(before).catch((thrown) => this.market.failed("budget_set", thrown)),
        },
      });
    } catch (thrown) {
      this.market.failed("budget_remove", thrown);
    }
  }

  #put(budgets: BudgetDto[]): void {
    this.#answers.put("budgets_list", null, budgets);
    this.#answers.stale(["budgets"]);
  }
}

/** The actions of this window on money, handed down from the root component. */
export const [getSpendActions, setSpendActions] = createContext<SpendActions>();
