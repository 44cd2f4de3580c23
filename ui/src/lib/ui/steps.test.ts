import { expect, it } from "vitest";

import { stepTo } from "./steps";

it("goes by one step, by a page, and to the ends", () => {
  const reached = ["ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp", "PageDown", "PageUp", "Home", "End"];
  expect(reached.map((key) => stepTo(key, 12, 30, 7))).toEqual([11, 11, 13, 13, 5, 19, 0, 30]);
});

it("stays within the steps there are", () => {
  expect([stepTo("ArrowLeft", 0, 30, 7), stepTo("PageDown", 3, 30, 7)]).toEqual([0, 0]);
  expect([stepTo("ArrowRight", 30, 30, 7), stepTo("PageUp", 28, 30, 7)]).toEqual([30, 30]);
  // From beyond the last one, where nothing was reached yet.
  expect([stepTo("ArrowLeft", 31, 30, 7), stepTo("ArrowRight", 31, 30, 7)]).toEqual([30, 30]);
});

it("leaves every other key to the page", () => {
  expect([stepTo("Tab", 3, 30, 7), stepTo("a", 3, 30, 7)]).toEqual([null, null]);
});
