import { firstRequest, givenOf, typedOf, type Typed } from "../../lib/buy/fields";
import type { BuyRequest } from "../../lib/host/bindings";

const nothing: Typed = { value: "", low: "", high: "" };

/** What is compared with buying, as it is typed. */
export class Buy {
  gpu = $state("");
  count = $state("1");
  country = $state("");
  offer = $state<string | null>(null);
  #typed = $state<Record<string, Typed>>({});

  constructor(request: BuyRequest) {
    this.take(request);
  }

  /** Takes all of a request over, such as the one of the last run. */
  take(request: BuyRequest): void {
    this.gpu = request.gpu ?? "";
    this.count = String(request.count);
    this.country = request.country ?? "";
    this.offer = request.offer;
    this.#typed = Object.fromEntries(request.given.map((given) => [given.name, typedOf(given)]));
  }

  /** Begins anew. */
  reset(currency: string): void {
    this.take(firstRequest(currency));
  }

  /** A figure as typed. */
  typed(name: string): Typed {
    return this.#typed[name] ?? nothing;
  }

  /** Changes a figure; what is emptied is the desk's again. */
  type(name: string, change: Partial<Typed>): void {
    const typed = { ...this.typed(name), ...change };
    this.#typed = { ...this.#typed, [name]: typed.value.trim() === "" ? nothing : typed };
  }

  /** Share of all hours that is used, percent. */
  get used(): number {
    return Number(this.typed("utilisation").value) || 0;
  }

  set used(percent: number) {
    this.type("utilisation", { value: String(percent) });
  }

  /** What the desk is asked. */
  request(currency: string): BuyRequest {
    const count = Math.round(Number(this.count));
    return {
      gpu: this.gpu.trim() || null,
      count: Number.isFinite(count) && count > 0 ? count : 1,
      country: this.country || null,
      offer: this.offer,
      currency,
      given: Object.entries(this.#typed).flatMap(([name, typed]) => givenOf(name, typed) ?? []),
    };
  }
}
