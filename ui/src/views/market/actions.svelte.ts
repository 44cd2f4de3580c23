import { createContext } from "svelte";

import { happened, hint, tell } from "../../lib/error/errors";
import { hostError, type HostError } from "../../lib/host/host";
import { count } from "../../lib/format/number";
import { copyText } from "../../lib/ui/clipboard";
import type { Toasts } from "../../lib/ui/toasts.svelte";
import { m } from "../../paraglide/messages.js";
import { compareLimit, type Market } from "./market.svelte";

/** A text that the system would not put on the clipboard, to be copied by hand. */
export interface ByHand {
  title: string;
  text: string;
}

/** What the sheet for an offer is filled with: what a plan has worked out. */
export interface LaunchPreset {
  name: string;
  diskGb: number | null;
  hours: number | null;
  project: string;
}

/** What can be done with offers from anywhere: table, details, menus, palette. Every outcome is told. */
export class MarketActions {
  /** The offer somebody asked to rent. */
  renting = $state<string | null>(null);
  /** What its sheet is filled with. */
  preset: LaunchPreset | null = null;
  byHand = $state.raw<ByHand | null>(null);
  refreshing = $state(false);

  constructor(
    readonly market: Market,
    readonly toasts: Toasts,
  ) {}

  /** Puts an offer into the tray or takes it out. */
  toggleCompare(id: string): void {
    if (!this.market.toggleCompare(id)) {
      this.toasts.show({ tone: "warn", text: m.compare_full({ n: compareLimit }) });
    }
  }

  /** Puts the chosen offers side by side; with fewer than two it says what is missing. */
  compare(): void {
    if (this.market.settings.compare.length >= 2) this.market.tab = "compare";
    else this.toasts.show({ tone: "plain", text: m.compare_needs_two() });
  }

  /** Opens the sheet that says how this offer can be rented. */
  rent(id: string, preset: LaunchPreset | null = null): void {
    this.preset = preset;
    this.renting = id;
  }

  /** Opens the page where an offer is rented by hand; where no browser can be started, its address is copied. */
  async openPage(id: string): Promise<void> {
    try {
      const { page, opened } = await this.market.answers.call("offer_page_open", { offer: id });
      if (opened) return;
      if (await copyText(Promise.resolve(page)))
        this.toasts.show({ tone: "plain", text: m.rent_page_copied(), detail: page });
      else this.byHand = { title: m.copy_by_hand(), text: page };
    } catch (thrown) {
      this.failed("offer_page_open", thrown);
    }
  }

  /** Copies rows (all that match, if none are named) in one of the desk's formats. */
  async copy(format: "text" | "csv" | "json" | "command", ids: string[]): Promise<void> {
    const answer = this.market.answers.call("offers_copy", { view: this.market.view, ids, format });
    try {
      const done = await copyText(answer.then(({ text }) => text));
      const { text, rows } = await answer;
      if (!done) this.byHand = { title: m.copy_by_hand(), text };
      else if (format === "command")
        this.toasts.show({ tone: "good", text: m.copied_command(), detail: text });
      else this.toasts.show({ tone: "good", text: m.copied_rows({ n: rows, text: count(rows) }) });
    } catch (thrown) {
      this.failed("offers_copy", thrown);
    }
  }

  /** Copies a text that is already here. */
  async copyPlain(text: string): Promise<void> {
    if (await copyText(Promise.resolve(text)))
      this.toasts.show({ tone: "good", text: m.copied(), detail: text });
    else this.byHand = { title: m.copy_by_hand(), text };
  }

  /** Fetches sources now (all, if none are named) and tells what came. */
  async refresh(sources: string[] = []): Promise<void> {
    if (this.refreshing) return;
    this.refreshing = true;
    try {
      const { feeds } = await this.market.answers.call("sources_refresh", { sources });
      const failed = feeds.filter((feed) => feed.error !== null);
      const changes = feeds.reduce((sum, feed) => sum + feed.price_changes, 0);
      const offers = feeds.reduce((sum, feed) => sum + feed.offers, 0);
      this.toasts.show({
        tone: failed.length > 0 ? "warn" : "good",
        text:
          failed.length > 0
            ? m.refreshed_partly({ failed: failed.map((feed) => feed.feed).join(", ") })
            : m.refreshed({ n: feeds.length, text: count(feeds.length) }),
        detail: m.refreshed_detail({ offers: count(offers), changes: count(changes) }),
      });
    } catch (thrown) {
      this.failed("sources_refresh", thrown);
    } finally {
      this.refreshing = false;
    }
  }

  /** Tells when offers like the ones shown change for the better. */
  async watch(): Promise<void> {
    const line = this.market.line.applied;
    try {
      const watches = await this.market.answers.call("watch_add", { line });
      this.market.answers.put("watches_list", null, watches);
      this.toasts.show({
        tone: "good",
        text: m.watch_added({ line: line === "" ? m.watch_everything() : line }),
      });
    } catch (thrown) {
      this.failed("watch_add", thrown);
    }
  }

  /** Ends a watch. */
  async unwatch(id: number): Promise<void> {
    try {
      this.market.answers.put("watches_list", null, await this.market.answers.call("watch_remove", { id }));
    } catch (thrown) {
      this.failed("watch_remove", thrown);
    }
  }

  /** Shows whatever a command threw. */
  failed(command: string, thrown: unknown): void {
    this.fail(hostError(command, thrown));
  }

  /** Shows an error. */
  fail(error: HostError): void {
    const { tone, title } = tell(error.api);
    const detail = [happened(error.api), hint(error.api)].filter((part) => part).join(". ");
    this.toasts.show({ tone, text: title, detail });
  }
}

/** The actions of this window, handed down from the root component. */
export const [getActions, setActions] = createContext<MarketActions>();
