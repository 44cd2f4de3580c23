import { expect, it, vi } from "vitest";

import type { MarketPage, MarketPageRequest, MarketView } from "../../lib/host/bindings";
import { HostError } from "../../lib/host/host";
import { mockRow } from "../../lib/host/mock/market";
import { pageSize, Rows } from "./rows.svelte";

const view: MarketView = {
  line: "",
  sort: "gpu-hour",
  descending: false,
  job: null,
  currency: "USD",
  include_unknown: false,
  include_quarantine: false,
};

function answer(request: MarketPageRequest, { board = 1, total = 1000 } = {}): MarketPage {
  const rows = Array.from({ length: Math.min(request.limit, total - request.offset) }, (_, i) =>
    mockRow(request.offset + i),
  );
  return {
    board,
    as_of: "2026-11-30T09:00:00Z",
    currency: "USD",
    fx: null,
    total,
    all: total,
    clouds: 8,
    quarantined: 0,
    took_ms: 1,
    rows,
    facets: [],
    max_vram_total_gib: null,
    max_bandwidth_gb_s: null,
    policies: [],
  };
}

/** A desk whose answers come when they are let go. */
function slowDesk() {
  const waiting: {
    request: MarketPageRequest;
    go: (page: MarketPage) => void;
    fail: (error: unknown) => void;
  }[] = [];
  const load = vi.fn(
    (request: MarketPageRequest) =>
      new Promise<MarketPage>((go, fail) => {
        waiting.push({ request, go, fail });
      }),
  );
  return { load, waiting };
}

it("keeps the rows of one view until those of the next are here", async () => {
  const { load, waiting } = slowDesk();
  const rows = new Rows(load);
  const first = rows.show(view);
  waiting[0]?.go(answer(waiting[0].request));
  await first;
  expect(rows.total).toBe(1000);

  const second = rows.show({ ...view, line: "h100" });
  expect(rows.total).toBe(1000);
  expect(rows.at(0)).toBeDefined();
  waiting[1]?.go(answer(waiting[1].request, { total: 10 }));
  await second;
  expect(rows.total).toBe(10);
  expect(rows.shown?.line).toBe("h100");
});

it("shows the facets of another view a moment after its rows", async () => {
  const facets = (count: number) => [
    { key: "form", values: [{ value: "vm", title: "VM", count, chosen: false }] },
  ];
  const load = vi.fn((request: MarketPageRequest) =>
    Promise.resolve({ ...answer(request), facets: facets(request.view.line === "" ? 7 : 3) }),
  );
  const rows = new Rows(load);
  await rows.show(view);
  expect(rows.facets).toEqual(facets(7));
  await rows.show({ ...view, line: "h100" });
  expect(rows.shown?.line).toBe("h100");
  expect(rows.facets).toEqual(facets(7));
  await vi.waitFor(() => expect(rows.facets).toEqual(facets(3)));
});

it("drops an answer that a later question has overtaken", async () => {
  const { load, waiting } = slowDesk();
  const rows = new Rows(load);
  const slow = rows.show(view);
  const quick = rows.show({ ...view, line: "h100" });
  waiting[1]?.go(answer(waiting[1].request, { total: 10 }));
  await quick;
  waiting[0]?.go(answer(waiting[0].request));
  await slow;
  expect(rows.total).toBe(10);
});

it("asks nothing again when the view on the screen is wanted after all", async () => {
  const { load, waiting } = slowDesk();
  const rows = new Rows(load);
  const first = rows.show(view);
  waiting[0]?.go(answer(waiting[0].request));
  await first;
  const wrong = rows.show({ ...view, line: "h10" });
  await rows.show({ ...view });
  waiting[1]?.fail(
    new HostError({ code: "query-invalid", what: "query", detail: "h10", hint: null, line: null }),
  );
  await wrong;
  expect(load).toHaveBeenCalledTimes(2);
  expect(rows.error).toBeNull();
  expect(rows.shown?.line).toBe("");
});

const page = (n: number) => n * pageSize;

it("fetches what is in sight first and then what is next to it, each page once", async () => {
  const load = vi.fn((request: MarketPageRequest) => Promise.resolve(answer(request)));
  const rows = new Rows(load);
  await rows.show(view);
  rows.want(page(10) + 5, page(10) + 30, true);
  rows.want(page(10) + 6, page(10) + 31, true);
  expect(rows.complete(page(10), page(11))).toBe(false);
  await vi.waitFor(() => expect(rows.complete(page(6), page(15))).toBe(true));
  const spans = load.mock.calls.map(([{ offset, limit }]) => [offset / pageSize, limit / pageSize]);
  expect(spans).toEqual([
    [0, 2],
    [10, 1],
    [11, 4],
    [6, 4],
  ]);
  expect(rows.at(page(10) + 7)?.offer.id).toBe(mockRow(page(10) + 7).offer.id);
  expect(rows.indexOf(mockRow(page(14) + 3).offer.id)).toBe(page(14) + 3);
});

it("fetches the place one scrolled to before the places one scrolled past", async () => {
  const { load, waiting } = slowDesk();
  const rows = new Rows(load);
  const first = rows.show(view);
  waiting[0]?.go(answer(waiting[0].request));
  await first;
  for (const past of [5, 8, 11, 14, 17, 20]) rows.want(page(past), page(past) + 20, true);
  // Two are on their way; the others wait to be wanted still.
  expect(waiting.slice(1).map(({ request }) => request.offset)).toEqual([page(5), page(8)]);
  waiting[1]?.go(answer(waiting[1].request));
  await vi.waitFor(() => expect(waiting).toHaveLength(4));
  expect(waiting[3]?.request.offset).toBe(page(20));
});

it("does not ask for ever for rows the desk does not have", async () => {
  const load = vi.fn((request: MarketPageRequest) =>
    Promise.resolve({ ...answer(request), rows: request.offset > 0 ? [] : answer(request).rows }),
  );
  const rows = new Rows(load);
  await rows.show(view);
  rows.want(page(10), page(10) + 20, true);
  await vi.waitFor(() => expect(rows.complete(page(6), page(15))).toBe(true));
  expect(load).toHaveBeenCalledTimes(4);
});

it("takes no rows of the list before for rows of the next", async () => {
  const { load, waiting } = slowDesk();
  const rows = new Rows(load);
  const first = rows.show(view);
  waiting[0]?.go(answer(waiting[0].request));
  await first;
  const second = rows.show({ ...view, sort: "age" });
  rows.want(page(10), page(10) + 20, true);
  waiting[1]?.go(answer(waiting[1].request));
  await second;
  waiting[2]?.go(answer(waiting[2].request));
  await Promise.resolve();
  expect(rows.complete(page(10), page(10) + 20)).toBe(false);
});

it("asks for as many rows as the window has room for", async () => {
  const load = vi.fn((request: MarketPageRequest) => Promise.resolve(answer(request)));
  const rows = new Rows(load);
  await rows.show(view);
  rows.want(0, 25, false);
  await rows.show({ ...view, line: "h100" });
  expect(load.mock.lastCall?.[0].limit).toBe(page(1));
  rows.want(0, page(2) + 1, false);
  await rows.show({ ...view, line: "h200" });
  expect(load.mock.lastCall?.[0].limit).toBe(page(3));
});

it("reads everything in sight again when the board has changed, and swaps it at once", async () => {
  let board = 1;
  const load = vi.fn((request: MarketPageRequest) => Promise.resolve(answer(request, { board })));
  const rows = new Rows(load);
  await rows.show(view);
  rows.want(450, 475, true);
  await vi.waitFor(() => expect(rows.complete(450, 475)).toBe(true));
  board = 2;
  const refreshed = rows.refresh();
  expect(rows.complete(450, 475)).toBe(true);
  await refreshed;
  expect(rows.head?.board).toBe(2);
  expect(rows.complete(450, 475)).toBe(true);
  expect(rows.complete(200, 225)).toBe(false);
});

it("does not mix pages of two boards", async () => {
  const load = vi.fn((request: MarketPageRequest) =>
    Promise.resolve(answer(request, { board: request.offset === 0 && load.mock.calls.length < 3 ? 1 : 2 })),
  );
  const rows = new Rows(load);
  await rows.show(view);
  rows.want(450, 475, true);
  await vi.waitFor(() => expect(rows.head?.board).toBe(2));
});

it("keeps its rows and says why when a question fails", async () => {
  const { load, waiting } = slowDesk();
  const rows = new Rows(load);
  const first = rows.show(view);
  waiting[0]?.go(answer(waiting[0].request));
  await first;
  const second = rows.show({ ...view, sort: "age" });
  waiting[1]?.fail(
    new HostError({ code: "database", what: "offers", detail: "disk full", hint: null, line: null }),
  );
  await second;
  expect(rows.total).toBe(1000);
  expect(rows.error?.api.code).toBe("database");
});
