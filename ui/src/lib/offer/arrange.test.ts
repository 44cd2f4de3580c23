import { expect, it } from "vitest";

import { asChoices, chosenColumns, gridColumns, moved } from "./arrange";

function keys(chosen: ReturnType<typeof chosenColumns>) {
  return chosen.filter(({ shown }) => shown).map(({ column }) => column.key);
}

it("shows the usual columns until somebody chooses", () => {
  expect(keys(chosenColumns([]))).toEqual([
    "offer",
    "price",
    "change",
    "total",
    "place",
    "vram",
    "bandwidth",
    "link",
    "age",
  ]);
});

it("keeps the chosen order and widths, forgets columns it does not know, adds new ones at the end", () => {
  const chosen = chosenColumns([
    { key: "offer", shown: false, width: null },
    { key: "cuda", shown: true, width: 77 },
    { key: "gone", shown: true, width: null },
    { key: "price", shown: false, width: null },
  ]);
  // What names the row cannot be hidden.
  expect(keys(chosen).slice(0, 2)).toEqual(["offer", "cuda"]);
  expect(keys(chosen)).not.toContain("price");
  expect(keys(chosen)).toContain("vram");
  expect(chosenColumns(asChoices(chosen))).toEqual(chosen);
  expect(gridColumns(chosen, "USD", null, "gpu-hour").find(({ key }) => key === "cuda")?.width).toBe(77);
});

it("moves columns, but never in front of the one that names the row", () => {
  const chosen = chosenColumns([]);
  expect(keys(moved(chosen, "link", "price")).slice(0, 3)).toEqual(["offer", "link", "price"]);
  expect(keys(moved(chosen, "price", null)).at(-1)).toBe("price");
  expect(keys(moved(chosen, "offer", null))[0]).toBe("offer");
  expect(keys(moved(chosen, "link", "offer"))[1]).toBe("link");
});

it("has a total only where there is a job, as wide as its totals ask", () => {
  const chosen = chosenColumns([]);
  expect(gridColumns(chosen, "USD", null, "gpu-hour").map(({ key }) => key)).not.toContain("total");
  // A text is 10 px wide here, see the setup; the room around it is 18.
  const narrow = gridColumns(chosen, "USD", ["$9"], "gpu-hour").find(({ key }) => key === "total");
  expect(narrow?.width).toBe(92);
});

it("heads the price with the display currency", () => {
  expect(
    gridColumns(chosenColumns([]), "RUB", null, "gpu-hour").find(({ key }) => key === "price")?.title,
  ).toBe("₽ / GPU·h");
});

it("shows what the list is sorted by beside the price, only while it is", () => {
  const keysOf = (sort: string) => gridColumns(chosenColumns([]), "USD", null, sort).map(({ key }) => key);
  expect(keysOf("gpu-hour").slice(0, 3)).toEqual(["offer", "price", "change"]);
  expect(keysOf("vram").slice(0, 3)).toEqual(["offer", "price", "per-vram"]);
  expect(keysOf("tflops").slice(0, 3)).toEqual(["offer", "price", "per-tflops"]);
  expect(keysOf("bandwidth").slice(0, 3)).toEqual(["offer", "price", "per-speed"]);
  expect(keysOf("age")).toEqual(keysOf("gpu-hour"));
});
