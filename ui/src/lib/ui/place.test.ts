import { expect, it } from "vitest";

import { place } from "./place";

const window_ = { width: 1000, height: 600 };
const anchor = { left: 100, top: 40, right: 180, bottom: 70 };

it("stands below the anchor, at its start or its end", () => {
  const size = { width: 200, height: 100 };
  expect(place(anchor, size, window_, { side: "bottom", align: "start", gap: 6 })).toEqual({
    left: 100,
    top: 76,
    room: 516,
  });
  expect(
    place({ ...anchor, left: 700, right: 780 }, size, window_, { side: "bottom", align: "end", gap: 6 }).left,
  ).toBe(580);
});

it("turns to the other side where there is more room", () => {
  const low = { left: 100, top: 560, right: 180, bottom: 590 };
  expect(
    place(low, { width: 200, height: 300 }, window_, { side: "bottom", align: "start", gap: 6 }),
  ).toEqual({ left: 100, top: 254, room: 546 });
});

it("stays inside the window and says how much room there is", () => {
  const right = { left: 950, top: 300, right: 990, bottom: 320 };
  const placed = place(right, { width: 300, height: 900 }, window_, {
    side: "bottom",
    align: "start",
    gap: 6,
  });
  expect(placed.left).toBe(692);
  expect(placed.room).toBe(286);
  expect(placed.top).toBe(8);
});
