import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { Toasts } from "./toasts.svelte";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const action = { label: "Show", run: () => undefined };
const texts = (toasts: Toasts) => toasts.list.map(({ text }) => text);

it("takes news away after a while, what can be acted on later, bad news never", () => {
  const toasts = new Toasts();
  toasts.show({ tone: "good", text: "news" });
  toasts.show({ tone: "good", text: "to act", action });
  toasts.show({ tone: "bad", text: "bad", action });
  vi.advanceTimersByTime(6000);
  expect(texts(toasts)).toEqual(["to act", "bad"]);
  vi.advanceTimersByTime(14_000);
  expect(texts(toasts)).toEqual(["bad"]);
  vi.advanceTimersByTime(3_600_000);
  expect(texts(toasts)).toEqual(["bad"]);
});

it("keeps a message while it is being read", () => {
  const toasts = new Toasts();
  toasts.show({ tone: "good", text: "news" });
  const id = toasts.list[0]?.id ?? 0;
  toasts.hold(id);
  vi.advanceTimersByTime(60_000);
  expect(texts(toasts)).toEqual(["news"]);
  toasts.release(id);
  vi.advanceTimersByTime(6000);
  expect(texts(toasts)).toEqual([]);
});

it("lets no bad news go because it was read", () => {
  const toasts = new Toasts();
  toasts.show({ tone: "bad", text: "bad" });
  const id = toasts.list[0]?.id ?? 0;
  toasts.hold(id);
  toasts.release(id);
  vi.advanceTimersByTime(60_000);
  expect(texts(toasts)).toEqual(["bad"]);
});
