import { expect, it } from "vitest";

import { failingFeed, mockSources } from "../host/mock/sources";
import { ages, condition, gathered, trouble } from "./health";

function source(index: number) {
  const found = mockSources()[index];
  if (!found) throw new Error(`there is no source ${index}`);
  return found;
}

it("takes the worst feed for the source", () => {
  const lists = source(2);
  expect(condition(source(0))).toBe("good");
  expect(condition(lists)).toBe("stale");
  expect(condition({ ...lists, feeds: [...lists.feeds, failingFeed()] })).toBe("failing");
  expect(condition({ ...lists, feeds: [] })).toBe("never");
});

it("keeps sources apart while there are few, then gathers those that fare alike", () => {
  const shown = (sources: ReturnType<typeof mockSources>) =>
    gathered(sources).map((group) => group.sources.map(({ name }) => name));
  expect(shown(mockSources())).toEqual([["vast"], ["runpod"], ["catalogue"], ["rates"]]);
  const more = ["a", "b", "c"].map((name) => ({ ...source(0), name }));
  const failing = { ...source(1), feeds: [failingFeed()] };
  expect(shown([source(0), failing, source(2), source(3), ...more])).toEqual([
    ["runpod"],
    ["catalogue"],
    ["vast", "rates", "a", "b", "c"],
  ]);
});

it("knows the newest and the oldest rows", () => {
  expect(ages(source(2).feeds)).toEqual({ newest: 259_200, oldest: 14_256_000 });
  expect(ages([])).toBeNull();
});

it("tells a failing cloud from a missing network", () => {
  expect(trouble(mockSources())).toBeNull();
  const one = mockSources();
  one[1] = { ...source(1), feeds: [failingFeed()] };
  expect(trouble(one)).toMatchObject({ offline: false, failing: [{ name: "runpod" }] });

  const failing = { ...failingFeed(), name: "vast" };
  const none = [
    { ...source(0), feeds: [failing] },
    { ...source(1), feeds: [failingFeed()] },
    // A price list that came with the app answers without a network.
    source(2),
  ];
  expect(trouble(none)?.offline).toBe(true);
});

it("does not call a cloud's refusal a missing network", () => {
  const refused = failingFeed();
  const error = refused.error && { ...refused.error, code: "provider-refused" };
  expect(trouble([{ ...source(1), feeds: [{ ...refused, error }] }])?.offline).toBe(false);
});
