import { QueryObserver } from "@tanstack/svelte-query";
import { expect, it, vi } from "vitest";

import type { Event } from "../host/bindings";
import { HostError } from "../host/host";
import { mockHost } from "../host/mock/mock";
import { Answers, staleTags } from "./answers";

type Watched = "sources_list" | "rates_get";

/** Keeps an answer on the screen, so to speak. */
function watch(answers: Answers, command: Watched) {
  const observer = new QueryObserver(answers.client, {
    queryKey: [command, null],
    queryFn: () => answers.read(command, null),
    structuralSharing: false,
  });
  return { observer, end: observer.subscribe(() => undefined) };
}

/** A desk whose source list waits until it is let go; each answer counts the times it was asked. */
function slowDesk() {
  const host = mockHost({ rows: 10 });
  const waiting: (() => void)[] = [];
  host.answer(
    "sources_list",
    () => new Promise((go) => waiting.push(() => go(Array.from({ length: waiting.length }) as never))),
  );
  return { host, waiting };
}

it("knows what each event makes stale", () => {
  expect(staleTags({ kind: "board_changed", board: 2 })).toEqual(["board"]);
  expect(staleTags({ kind: "source_changed", source: "vast" })).toEqual(["sources"]);
  expect(staleTags({ kind: "source_changed", source: "rates" })).toEqual(["sources", "rates"]);
  expect(staleTags({ kind: "settings_changed" })).toEqual(["settings"]);
  expect(staleTags({ kind: "open_link", link: "gpudesk://offer/1" })).toEqual([]);
});

it("asks again what an event touches, and nothing else", async () => {
  const host = mockHost({ rows: 10 });
  const answers = new Answers(host);
  const ends = [answers.start(), watch(answers, "sources_list").end, watch(answers, "rates_get").end];
  const asked = (command: Watched) => host.asked.filter((one) => one.command === command).length;
  const heard: Event[] = [];
  answers.listen((event) => heard.push(event));
  await vi.waitFor(() => expect(answers.client.isFetching()).toBe(0));

  host.tell({ kind: "source_changed", source: "vast" });
  await vi.waitFor(() => expect(asked("sources_list")).toBe(2));
  expect(asked("rates_get")).toBe(1);
  expect(heard).toEqual([{ kind: "source_changed", source: "vast" }]);

  for (const end of ends) end();
  host.tell({ kind: "source_changed", source: "vast" });
  expect(heard).toHaveLength(1);
});

it("asks again when the first answer went stale on its way", async () => {
  const { host, waiting } = slowDesk();
  const answers = new Answers(host);
  const stop = answers.start();
  const { observer, end } = watch(answers, "sources_list");
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  host.tell({ kind: "board_changed", board: 2 });
  waiting[0]?.();
  await vi.waitFor(() => expect(waiting).toHaveLength(2));
  // What was known before the event is not shown as if it were fresh.
  expect(observer.getCurrentResult().data).toBeUndefined();
  waiting[1]?.();
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toHaveLength(2));
  expect(answers.client.isFetching()).toBe(0);
  expect(waiting).toHaveLength(2);
  end();
  stop();
});

it("lets an event that does not touch an answer pass", async () => {
  const { host, waiting } = slowDesk();
  const answers = new Answers(host);
  const stop = answers.start();
  const { observer, end } = watch(answers, "sources_list");
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  host.tell({ kind: "settings_changed" });
  waiting[0]?.();
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toHaveLength(1));
  expect(waiting).toHaveLength(1);
  end();
  stop();
});

it("asks once for an event that meets a later answer on its way", async () => {
  const { host, waiting } = slowDesk();
  const answers = new Answers(host);
  const stop = answers.start();
  const { observer, end } = watch(answers, "sources_list");
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  waiting[0]?.();
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toHaveLength(1));
  host.tell({ kind: "source_changed", source: "vast" });
  host.tell({ kind: "source_changed", source: "vast" });
  await vi.waitFor(() => expect(waiting).toHaveLength(3));
  waiting[1]?.();
  waiting[2]?.();
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toHaveLength(3));
  expect(waiting).toHaveLength(3);
  end();
  stop();
});

it("makes an error of the desk's shape of whatever a host throws", async () => {
  const host = mockHost({ rows: 1 });
  host.answer("rates_get", () => {
    throw new TypeError("Load failed");
  });
  const failed = new Answers(host).call("rates_get", null);
  await expect(failed).rejects.toBeInstanceOf(HostError);
  await expect(failed).rejects.toMatchObject({
    api: { code: "internal", what: "rates_get", detail: "Load failed" },
  });
});
