import { fireEvent } from "@testing-library/svelte";
import { afterEach, expect, it, vi } from "vitest";

import { mockRow } from "../lib/host/mock/market";
import { openMarket } from "./desk";

afterEach(() => void vi.useRealTimers());

function theGrid(): HTMLElement {
  return document.querySelector('[role="grid"]') as HTMLElement;
}

function rows(): HTMLElement[] {
  return [...theGrid().querySelectorAll<HTMLElement>('[role="row"][aria-selected]')];
}

function texts(): string[] {
  return rows().map((row) => row.textContent?.trim() ?? "");
}

async function scrollTo(top: number) {
  Object.defineProperty(theGrid(), "scrollTop", { configurable: true, writable: true, value: top });
  await fireEvent.scroll(theGrid());
}

it("keeps fewer than 100 rows of 20,000 in the page, wherever one scrolls", async () => {
  await openMarket({ rows: 20_000 });
  expect(theGrid()).toHaveAttribute("aria-rowcount", "20001");
  for (const row of [57, 9_999, 19_985]) {
    await scrollTo(row * 34);
    await vi.waitFor(() => {
      expect(rows()[0]).toHaveAttribute("aria-rowindex", String(row + 2));
      expect(texts()).not.toContain("");
    });
    expect(rows().length).toBeLessThan(100);
  }
});

it("keeps the last rows until the wanted ones are here, and after a while says that it waits", async () => {
  const { host } = await openMarket({ rows: 20_000 });
  const before = texts();
  let release: (() => void) | undefined;
  const held = new Promise<void>((go) => (release = go));
  host.answer("market_page", async (request) => {
    await held;
    const page = Array.from({ length: request.limit }, (_, i) => mockRow(request.offset + i));
    return {
      board: 1,
      as_of: "2026-11-30T09:00:00Z",
      currency: "USD",
      fx: null,
      total: 20_000,
      all: 20_000,
      clouds: 8,
      quarantined: 0,
      took_ms: 1,
      rows: page,
      facets: [],
      max_vram_total_gib: null,
      max_bandwidth_gb_s: null,
      policies: [],
    };
  });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await scrollTo(10_000 * 34);
  expect(before.length).toBeGreaterThan(5);
  expect(texts()).toEqual(before);

  expect(theGrid()).toHaveAttribute("aria-busy", "false");

  await vi.advanceTimersByTimeAsync(301);
  expect(theGrid()).toHaveAttribute("aria-busy", "true");
  expect(texts()).toEqual(before);

  vi.useRealTimers();
  release?.();
  await vi.waitFor(() => expect(texts()[0]).toContain(mockRow(10_000).gpu_title));
  expect(rows()[0]).toHaveAttribute("aria-rowindex", "10002");
  expect(theGrid()).toHaveAttribute("aria-busy", "false");
});
