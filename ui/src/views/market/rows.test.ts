import { expect, it, vi } from "vitest";

import type { MarketPage, MarketPageRequest, MarketView } from "../../lib/host/bindings";
import { HostError } from "../../lib/host/host";
import { mockRow } from "../../lib/host/mock/market";
import { Rows } from "./rows.svelte";

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

it("fetches the pages in sight and those next to them, each once", async () => {
  const load = vi.fn((request: MarketPageRequest) => Promise.resolve(answer(request)));
  const rows = new Rows(load);
  await rows.show(view);
  rows.want(450, 475, true);
  rows.want(451, 476, true);
  expect(rows.complete(450, 475)).toBe(false);
  await vi.waitFor(() => expect(rows.complete(450, 475)).toBe(true));
  const offsets = load.mock.calls.map(([request]) => request.offset);
  expect(offsets).toEqual([0, 400, 200, 300, 500, 600]);
  expect(rows.at(460)?.offer.id).toBe(mockRow(460).offer.id);
  expect(rows.indexOf(mockRow(460).offer.id)).toBe(460);
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
