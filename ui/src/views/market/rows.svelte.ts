/* eslint svelte/prefer-svelte-reactivity: off -- Pages are swapped whole; to make each entry reactive would cost more. */
import type { MarketPage, MarketPageRequest, MarketView, OfferRow } from "../../lib/host/bindings";
import type { HostError } from "../../lib/host/host";

/** Rows of one request. */
export const pageSize = 100;

/** Pages kept around the visible ones; what is further away is asked again when it comes near. */
const keepAround = 15;

/** Pages fetched ahead of the scroll on either side. */
const ahead = 2;

/** How long a new list rests before more than is seen of it is fetched: whoever still types wants none of it. */
const rest = 150;

/**
 * The window of rows on the screen. The desk filters and sorts; this holds the pages near the visible part. What is
 * on the screen stays until the pages that replace it are here: neither another filter nor a refresh shows blanks.
 *
 * Pages are not kept with the other answers: they belong to one view of one board and are dropped together.
 */
export class Rows {
  /** The first page of the list that is shown: counts, facets and bounds. */
  head = $state.raw<MarketPage | null>(null);
  /** The view `head` and the rows belong to. */
  shown = $state.raw<MarketView | null>(null);
  /** Why the view that was asked for could not be read. */
  error = $state.raw<HostError | null>(null);

  #pages = $state.raw<ReadonlyMap<number, OfferRow[]>>(new Map());
  #asked: MarketView | null = null;
  #generation = 0;
  #pending = new Set<number>();
  #visible: [number, number] = [0, 0];
  #resting: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly load: (request: MarketPageRequest) => Promise<MarketPage>) {}

  /** How many rows match. */
  get total(): number {
    return this.head?.total ?? 0;
  }

  /** A row, if it is at hand. */
  at(index: number): OfferRow | undefined {
    return this.#pages.get(Math.floor(index / pageSize))?.[index % pageSize];
  }

  /** Whether all of these rows are at hand. */
  complete(first: number, last: number): boolean {
    const end = Math.min(last, this.total);
    for (let page = Math.floor(first / pageSize); page * pageSize < end; page += 1) {
      if (!this.#pages.has(page)) return false;
    }
    return true;
  }

  /** The place of an offer among the rows at hand, or -1. */
  indexOf(id: string): number {
    for (const [page, rows] of this.#pages) {
      const place = rows.findIndex((row) => row.offer.id === id);
      if (place !== -1) return page * pageSize + place;
    }
    return -1;
  }

  /** Shows another view, from its top. */
  async show(view: MarketView): Promise<void> {
    if (this.#asked !== null && JSON.stringify(this.#asked) === JSON.stringify(view)) return;
    this.#asked = view;
    await this.#swap(view, [0]);
  }

  /** Reads what is shown again, after the board has changed. */
  async refresh(): Promise<void> {
    if (!this.#asked) return;
    await this.#swap(this.#asked, this.#pagesOf(...this.#visible));
  }

  /** These rows are about to be shown: fetches them, and those next to them, while scrolling at once. */
  want(first: number, last: number, scrolling: boolean): void {
    this.#visible = [first, last];
    if (!this.head) return;
    for (const page of this.#pagesOf(first, last)) this.#fetch(page);
    clearTimeout(this.#resting);
    if (scrolling) this.#fetchAhead();
    else this.#resting = setTimeout(() => this.#fetchAhead(), rest);
  }

  #fetchAhead(): void {
    const pages = this.#pagesOf(...this.#visible);
    const last = (pages.at(-1) ?? 0) + ahead;
    for (let page = (pages[0] ?? 0) - ahead; page <= last; page += 1) this.#fetch(page);
  }

  #pagesOf(first: number, last: number): number[] {
    const pages: number[] = [];
    for (let page = Math.floor(first / pageSize); page * pageSize < Math.max(last, 1); page += 1)
      pages.push(page);
    return pages;
  }

  async #swap(view: MarketView, pages: number[]): Promise<void> {
    const generation = ++this.#generation;
    const wanted = [...new Set([0, ...pages])];
    try {
      const answers = await Promise.all(
        wanted.map((page) =>
          this.load({ view, offset: page * pageSize, limit: pageSize, facets: page === 0 }),
        ),
      );
      if (generation !== this.#generation) return;
      const [head] = answers;
      if (!head) return;
      this.#pending.clear();
      this.#pages = new Map(answers.map((answer, i) => [wanted[i] ?? 0, answer.rows]));
      this.head = head;
      this.shown = view;
      this.error = null;
    } catch (thrown) {
      if (generation === this.#generation) this.error = thrown as HostError;
    }
  }

  #fetch(page: number): void {
    const view = this.shown;
    if (!view || page < 0 || page * pageSize >= this.total) return;
    if (this.#pages.has(page) || this.#pending.has(page)) return;
    const generation = this.#generation;
    const board = this.head?.board;
    this.#pending.add(page);
    this.load({ view, offset: page * pageSize, limit: pageSize, facets: false }).then(
      (answer) => {
        if (generation !== this.#generation) return;
        this.#pending.delete(page);
        // The board was swapped between two pages: rows of both would repeat or miss some.
        if (answer.board !== board) return void this.refresh();
        this.#keep(page, answer.rows);
      },
      (thrown: unknown) => {
        if (generation !== this.#generation) return;
        this.#pending.delete(page);
        this.error = thrown as HostError;
      },
    );
  }

  #keep(page: number, rows: OfferRow[]): void {
    this.#pages = new Map([...this.#pages, [page, rows]]);
    // While wanted rows are on their way the screen still shows others: nothing is dropped until they are here.
    if (!this.complete(...this.#visible)) return;
    const middle = Math.floor(this.#visible[0] / pageSize);
    this.#pages = new Map([...this.#pages].filter(([other]) => Math.abs(other - middle) <= keepAround));
  }
}
