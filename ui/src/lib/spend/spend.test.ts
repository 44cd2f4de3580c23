import { expect, it } from "vitest";

import { mockSpend } from "../host/mock/spend";
import { ticks } from "../ui/bars";
import { thresholdsOf } from "./budget";
import { added, other, seriesOf, sharesOf } from "./chart";
import { daysOf, isDay, monthBack, periodTitle, shifted, thisMonth } from "./period";

const now = Date.parse("2026-01-15T12:00:00Z");

it("counts months back over the turn of a year, in UTC", () => {
  expect(monthBack(0, now)).toBe("2026-01");
  expect(monthBack(2, now)).toBe("2025-11");
  expect(daysOf(thisMonth, now)).toEqual({ from: null, to: null });
  expect(daysOf({ kind: "month", back: 1 }, now)).toEqual({ from: "2025-12-01", to: null });
});

it("moves a period by its own length, and never beyond what has begun", () => {
  const days = { kind: "days", from: "2026-01-05", to: "2026-01-11" } as const;
  expect(shifted(days, -1, now)).toEqual({ kind: "days", from: "2025-12-29", to: "2026-01-04" });
  expect(shifted(days, 1, now)).toEqual({ kind: "days", from: "2026-01-12", to: "2026-01-18" });
  expect(shifted(days, 2, now)).toBeNull();
  expect(shifted(thisMonth, 1, now)).toBeNull();
  expect(shifted(thisMonth, -1, now)).toEqual({ kind: "month", back: 1 });
});

it("names a period, with the year where it is another", () => {
  expect(periodTitle({ kind: "month", back: 1 }, now)).toBe("December 2025");
  expect(periodTitle({ kind: "days", from: "2025-12-29", to: "2026-01-04" }, now)).toBe(
    "29\u00a0Dec 2025 – 4\u00a0Jan",
  );
});

it("knows days that exist", () => {
  expect(["2026-02-28", "2026-02-29", "2026-2-1", "", "2028-02-29"].map(isDay)).toEqual([
    true,
    false,
    false,
    false,
    true,
  ]);
});

it("adds amounts digit by digit", () => {
  expect(added(["0.1", "0.2"])).toBe("0.3000");
  expect(added(["12.3456", "-0.3456", "1"])).toBe("13.0000");
  expect(added(["-0.5", "0.25"])).toBe("-0.2500");
  expect(added([])).toBe("0.0000");
});

it("gives five keys a colour and the rest one together, without losing any money", () => {
  const page = mockSpend({ by: "provider", from: null, to: null, currency: "USD" });
  const series = seriesOf(page);
  expect(series.map(({ key }) => key)).toEqual(["verda", "aws", "selectel", "vast", "runpod", other]);
  for (const day of sharesOf(page, series)) {
    expect(added([...day.spent, ...day.toCome].map(({ amount }) => amount))).toBe(day.total);
  }
});

it("has round marks up to the largest bar", () => {
  expect(ticks(212)).toEqual([0, 100, 200, 300]);
  expect(ticks(0.9)).toEqual([0, 0.25, 0.5, 0.75, 1]);
  expect(ticks(0)).toEqual([0, 1]);
});

it("reads percentages as they are typed", () => {
  expect(thresholdsOf("50, 80 100 %")).toEqual([50, 80, 100]);
  expect(thresholdsOf("")).toEqual([]);
  expect(thresholdsOf("half")).toBeNull();
});
