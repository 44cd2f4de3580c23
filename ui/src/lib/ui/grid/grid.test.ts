import { describe, expect, it } from "vitest";

import { fit, type GridColumn } from "./columns";
import { extent, reveal, rowsAt } from "./scroll";

function column(key: string, width: number, yields: number, grows = false): GridColumn {
  return { key, title: key, align: "start", width, minimum: grows ? 100 : width, yields, grows };
}

describe("columns", () => {
  const columns = [
    column("offer", 200, 0, true),
    column("price", 80, 0),
    column("place", 100, 1),
    column("link", 90, 2),
  ];

  it("share out the room, the rest to the one that grows", () => {
    const fitted = fit(columns, 500);
    expect(fitted.columns.map(({ key }) => key)).toEqual(["offer", "price", "place", "link"]);
    expect(fitted.widths).toEqual([230, 80, 100, 90]);
    expect(fitted.lefts).toEqual([0, 230, 310, 410]);
    expect(fitted).toMatchObject({ total: 500, hidden: 0 });
  });

  it("give way by rank when there is no room, and price never does", () => {
    expect(fit(columns, 300).columns.map(({ key }) => key)).toEqual(["offer", "price", "place"]);
    const narrow = fit(columns, 120);
    expect(narrow.columns.map(({ key }) => key)).toEqual(["offer", "price"]);
    expect(narrow).toMatchObject({ widths: [100, 80], total: 180, hidden: 2 });
  });
});

describe("scrolling", () => {
  it("knows which rows stand in the pane", () => {
    expect(rowsAt(0, 1000, 34, 340)).toEqual([0, 11]);
    expect(rowsAt(50, 1000, 34, 340)).toEqual([1, 13]);
    expect(rowsAt(33_660, 1000, 34, 340)).toEqual([990, 1000]);
    expect(rowsAt(0, 0, 34, 340)).toEqual([0, 0]);
    expect(rowsAt(99_999, 10, 34, 340)).toEqual([10, 10]);
  });

  it("maps a list that is too tall for a browser to one that is not, and reaches its last row", () => {
    expect(extent(100_000, 34, 800)).toEqual({ height: 3_400_000, scale: 1 });
    const huge = extent(1_000_000, 34, 800);
    expect(huge.height).toBe(15_000_000);
    expect((huge.height - 800) * huge.scale).toBeCloseTo(34_000_000 - 800, 3);
  });

  it("moves no further than it must to show a row", () => {
    expect(reveal(5, 0, 34, 340)).toBe(0);
    expect(reveal(10, 0, 34, 340)).toBe(34);
    expect(reveal(2, 340, 34, 340)).toBe(68);
  });
});
