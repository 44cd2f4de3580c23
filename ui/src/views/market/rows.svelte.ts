/* eslint svelte/prefer-svelte-reactivity: off -- Pages are swapped whole; to make each entry reactive would cost more. */
import type {
  Facet,
  MarketPage,
  MarketPageRequest,
  MarketView,
  OfferRow,
  PolicyKept,
} from "../../lib/host/bindings";
import type { HostError } from "../../lib/host/host";

/** Rows that are kept and dropped together. Little more than a window shows: a key press waits for one page. */
export const pageSize = 40;

/** Pages kept around the visible ones; what is further away is asked again when it comes near. */
const keepAround = 40;

/** Pages fetched ahead of the scroll on either side. */
const ahead = 4;

/** Questions on their way at a time while one scrolls: whoever scrolls on waits for no more than these. */
const atOnce = 2;

/** The most rows of one answer of the desk, as pages. */
const mostPages = Math.floor(500 / pageSize);

/** How long a new list rests before its counts are drawn: drawn between two quick keys they would hold up the second. */
const countsRest = 180;

/** How long a new list rests before more than is seen of it is fetched: whoever still types wants none of it. */
const rest = 400;

/** Pages that stand one after the other: `[first, last)`. */
type Span = [number, number];

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

  /** `head`, a moment after the rows: while one types, the rows are what one looks at. */
  #counted = $state.raw<MarketPage | null>(null);
  #pages = $state.raw<ReadonlyMap<number, OfferRow[]>>(new Map());
  #asked: MarketView | null = null;
  #generation = 0;
  #pending = new Set<number>();
  #questions = 0;
  #visible: [number, number] = [0, 0];
  /** The most rows the window has shown; before the first layout more than most windows can. */
  #room: number | null = null;
  #isWide = false;
  #resting: ReturnType<typeof setTimeout> | undefined;
  #counting: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly load: (request: MarketPageRequest) => Promise<MarketPage>) {}

  /** How many rows match. */
  get total(): number {
    return this.head?.total ?? 0;
  }

  /** How many rows each value of a filter would leave. */
  get facets(): readonly Facet[] {
    return this.#counted?.facets ?? [];
  }

  /** What each residency policy would keep and hide. */
  get policies(): readonly PolicyKept[] {
    return this.#counted?.policies ?? [];
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
    const key = JSON.stringify(view);
    if (key === JSON.stringify(this.#asked)) return;
    this.#asked = view;
    if (key === JSON.stringify(this.shown)) {
      // Back to what is on the screen: whatever is on its way is not wanted any more.
      this.#forget();
      this.error = null;
      this.#pump();
      return;
    }
    await this.#swap(view, [this.#pagesOf(0, this.#room ?? 2 * pageSize)]);
  }

  /** Reads what is shown again, after the board has changed. */
  async refresh(): Promise<void> {
    if (!this.#asked) return;
    const [first, last] = this.#pagesOf(...this.#visible);
    await this.#swap(
      this.#asked,
      first === 0
        ? [[0, last]]
        : [
            [0, 1],
            [first, last],
          ],
    );
  }

  /**
   * These rows are about to be shown: fetches them, and those next to them, while scrolling at once. Of several
   * places that were scrolled past only the last is still fetched.
   */
  want(first: number, last: number, scrolling: boolean): void {
    this.#visible = [first, last];
    if (!this.head) return;
    if (last > first) this.#room = Math.max(this.#room ?? 0, last - first);
    clearTimeout(this.#resting);
    if (scrolling) this.#isWide = true;
    else this.#resting = setTimeout(() => this.#widen(), rest);
    this.#pump();
  }

  #widen(): void {
    this.#isWide = true;
    this.#pump();
  }

  /** Asks for what is missing: what is in sight first, then, when nothing else is on its way, what is next to it. */
  #pump(): void {
    if (this.#questions >= atOnce) return;
    const [first, last] = this.#pagesOf(...this.#visible);
    let span = this.#missing(first, last);
    if (!span && this.#isWide && this.#questions === 0) {
      span = this.#missing(last, last + ahead) ?? this.#missing(first - ahead, first);
    }
    if (span) void this.#fetch(span);
  }

  #pagesOf(first: number, last: number): Span {
    return [Math.floor(first / pageSize), Math.ceil(Math.max(last, first + 1) / pageSize)];
  }

  /** The first of these pages that are neither here nor on their way, and those that follow it. */
  #missing(first: number, last: number): Span | null {
    const end = Math.min(last, Math.ceil(this.total / pageSize));
    const lacks = (page: number) => page < end && !this.#pages.has(page) && !this.#pending.has(page);
    let from = Math.max(0, first);
    while (from < end && !lacks(from)) from += 1;
    if (from >= end) return null;
    let to = from;
    while (lacks(to) && to - from < mostPages) to += 1;
    return [from, to];
  }

  #forget(): void {
    this.#generation += 1;
    this.#questions = 0;
    this.#pending.clear();
  }

  #ask(view: MarketView, [first, last]: Span, facets: boolean): Promise<MarketPage> {
    return this.load({ view, offset: first * pageSize, limit: (last - first) * pageSize, facets });
  }

  async #swap(view: MarketView, spans: Span[]): Promise<void> {
    this.#forget();
    const generation = this.#generation;
    try {
      const ask = async (span: Span) => ({ span, page: await this.#ask(view, span, span[0] === 0) });
      const answers = await Promise.all(spans.map(ask));
      if (generation !== this.#generation) return;
      const [head] = answers;
      if (!head) return;
      // What was asked of the old list meanwhile is not wanted any more.
      this.#forget();
      this.#isWide = false;
      this.#pages = new Map(answers.flatMap(({ span, page }) => paged(span, page.rows)));
      this.#showFacets(head.page);
      this.head = head.page;
      this.shown = view;
      this.error = null;
    } catch (thrown) {
      if (generation === this.#generation) this.error = thrown as HostError;
    }
  }

  #showFacets(page: MarketPage): void {
    clearTimeout(this.#counting);
    if (!this.head) {
      this.#counted = page;
      return;
    }
    this.#counting = setTimeout(() => this.head === page && (this.#counted = page), countsRest);
  }

  async #fetch(span: Span): Promise<void> {
    const view = this.shown;
    if (!view) return;
    const generation = this.#generation;
    const board = this.head?.board;
    const [first, last] = span;
    for (let page = first; page < last; page += 1) this.#pending.add(page);
    this.#questions += 1;
    const settle = () => {
      if (generation !== this.#generation) return false;
      this.#questions -= 1;
      for (let page = first; page < last; page += 1) this.#pending.delete(page);
      return true;
    };
    try {
      const answer = await this.#ask(view, span, false);
      if (!settle()) return;
      // The board was swapped between two pages: rows of both would repeat or miss some.
      if (answer.board !== board) return await this.refresh();
      this.#keep(span, answer.rows);
      this.#pump();
    } catch (thrown) {
      if (settle()) this.error = thrown as HostError;
    }
  }

  #keep(span: Span, rows: OfferRow[]): void {
    this.#pages = new Map([...this.#pages, ...paged(span, rows)]);
    // While wanted rows are on their way the screen still shows others: nothing is dropped until they are here.
    if (!this.complete(...this.#visible)) return;
    const middle = Math.floor(this.#visible[0] / pageSize);
    this.#pages = new Map([...this.#pages].filter(([other]) => Math.abs(other - middle) <= keepAround));
  }
}

function paged([first, last]: Span, rows: OfferRow[]): [number, OfferRow[]][] {
  return Array.from({ length: last - first }, (_, i) => [
    first + i,
    rows.slice(i * pageSize, (i + 1) * pageSize),
  ]);
}
