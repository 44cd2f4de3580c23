import { createContext } from "svelte";

import type { Answers } from "../../lib/data/answers";
import type { JobDto, MarketView } from "../../lib/host/bindings";
import { Line } from "../../lib/query/line.svelte";
import type { SettingsState } from "../../lib/settings/settings.svelte";
import { Rows } from "./rows.svelte";

/** How the market is looked at. */
export type Tab = "groups" | "offers" | "compare";

/** The most offers that fit side by side. */
export const compareLimit = 6;

/** What the market view shows. What a person would miss after a restart is kept in the settings. */
export class Market {
  readonly line: Line;
  readonly rows: Rows;

  /** Whoever has not asked for anything yet sees every card; a query of the last run opens on its offers. */
  tab = $state<Tab>("groups");
  sort = $state("gpu-hour");
  descending = $state(false);
  /** The order of the market by card, which knows other keys. */
  groupSort = $state.raw({ key: "offers", descending: true });
  includeUnknown = $state(false);
  includeQuarantine = $state(false);
  /** The row the keys act on. */
  cursor = $state(0);
  /** An offer opened by its id (a link, the tray), which need not be among the rows. */
  pinned = $state<string | null>(null);
  /** Whether there is no room for the details beside the table; they then lie over it. */
  narrow = $state(false);
  detailsOver = $state(false);
  /** Whether the view of the last run was restored. */
  restored = $state(false);

  readonly view: MarketView = $derived.by(() => ({
    line: this.line.applied,
    // Without a job there is no total to sort by.
    sort: this.sort === "total" && !this.settings.job ? "gpu-hour" : this.sort,
    descending: this.descending,
    job: this.settings.job,
    currency: this.settings.currency,
    include_unknown: this.includeUnknown,
    include_quarantine: this.includeQuarantine,
  }));

  /** The offer that the details and the keys mean. */
  readonly selected: string | null = $derived.by(
    () => this.pinned ?? this.rows.at(this.cursor)?.offer.id ?? null,
  );

  constructor(
    readonly answers: Answers,
    readonly settings: SettingsState,
  ) {
    this.line = new Line({
      parse: (line) => answers.call("query_parse", { line }),
      edit: (line, edit) => answers.call("query_edit", { line, edit }),
    });
    this.rows = new Rows((request) => answers.call("market_page", request));
  }

  /** Takes up the view of the last run. */
  restore(): void {
    const last = this.settings.current.last_view;
    if (last) {
      this.sort = last.sort;
      this.descending = last.descending;
      this.includeUnknown = last.include_unknown;
      this.includeQuarantine = last.include_quarantine;
      // Shown at once as it was saved; reading it into chips follows.
      if (last.line !== "") this.tab = "offers";
      void this.line.restore(last.line);
    }
    this.restored = true;
  }

  /** Sorts by a key; the same key again turns the order round. */
  sortBy(key: string, largestFirst = false): void {
    this.descending = key === this.sort ? !this.descending : largestFirst;
    this.sort = key;
  }

  /** Sorts the market by card. */
  sortGroupsBy(key: string, largestFirst = false): void {
    const { key: current, descending } = this.groupSort;
    this.groupSort = { key, descending: key === current ? !descending : largestFirst };
  }

  /** Sets or clears the job. The first job sorts by its total: that is what it was set for. */
  setJob(job: JobDto | null): void {
    const had = this.settings.job !== null;
    this.settings.change({ job });
    if (job && !had && this.sort === "gpu-hour") this.sort = "total";
    if (!job && this.sort === "total") this.sort = "gpu-hour";
  }

  /** Moves the cursor to a row. */
  point(index: number): void {
    this.cursor = index;
    this.pinned = null;
  }

  /** A row was clicked: where the details are beside the table they follow by themselves. */
  openOver(): void {
    if (this.narrow) this.detailsOver = true;
  }

  /** Opens the details of an offer, wherever they are. */
  open(id: string | null = this.selected): void {
    if (id === null) return;
    const index = this.rows.indexOf(id);
    if (index === -1) this.pinned = id;
    else this.point(index);
    if (this.narrow || this.tab !== "offers") this.detailsOver = true;
    else if (this.settings.current.details_folded) this.settings.change({ details_folded: false });
  }

  /** Shows the offers of one card only. */
  async openGroup(word: string): Promise<void> {
    await this.line.edit({ do: "clear", key: "gpu" });
    await this.line.replace([this.line.applied, word].filter((part) => part !== "").join(" "));
    this.tab = "offers";
  }

  /** Whether an offer stands in the compare tray. */
  isCompared(id: string): boolean {
    return this.settings.compare.includes(id);
  }

  /** Puts an offer into the compare tray or takes it out; false where the tray is full. */
  toggleCompare(id: string): boolean {
    const { compare } = this.settings;
    if (compare.includes(id)) this.settings.change({ compare: compare.filter((other) => other !== id) });
    else if (compare.length < compareLimit) this.settings.change({ compare: [...compare, id] });
    else return false;
    return true;
  }
}

/** The market of this window, handed down from the root component. */
export const [getMarket, setMarket] = createContext<Market>();
