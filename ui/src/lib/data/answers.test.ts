import { QueryObserver } from "@tanstack/svelte-query";
import { expect, it, vi } from "vitest";

import type { Event } from "../host/bindings";
import { HostError } from "../host/host";
import { mockHost } from "../host/mock/mock";
import { Answers, staleTags } from "./answers";

it("knows what each event makes stale", () => {
  expect(staleTags({ kind: "board_changed", board: 2 })).toEqual(["board"]);
  expect(staleTags({ kind: "source_changed", source: "vast" })).toEqual(["sources"]);
  expect(staleTags({ kind: "source_changed", source: "rates" })).toEqual(["sources", "rates"]);
  expect(staleTags({ kind: "settings_changed" })).toEqual(["settings"]);
  expect(staleTags({ kind: "open_link", link: "gpudesk://offer/1" })).toEqual([]);
});

/** Keeps an answer on the screen, so to speak. */
function watched(answers: Answers, command: "sources_list" | "rates_get") {
  const queryFn = () => answers.read(command, null);
  return new QueryObserver(answers.client, { queryKey: [command, null], queryFn }).subscribe(() => undefined);
}

it("asks again what an event touches, and nothing else", async () => {
  const host = mockHost({ rows: 10 });
  const answers = new Answers(host);
  const ends = [answers.start(), watched(answers, "sources_list"), watched(answers, "rates_get")];
  const asked = (command: string) => host.asked.filter((one) => one.command === command).length;
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

it("asks again when an answer went stale on its way", async () => {
  const host = mockHost({ rows: 10 });
  const answers = new Answers(host);
  answers.start();
  let letGo: (() => void) | undefined;
  const held = new Promise<void>((go) => (letGo = go));
  let times = 0;
  host.answer("sources_list", async () => {
    times += 1;
    await held;
    return [];
  });
  const read = answers.read("sources_list", null);
  host.tell({ kind: "source_changed", source: "vast" });
  letGo?.();
  await read;
  expect(times).toBe(2);
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
