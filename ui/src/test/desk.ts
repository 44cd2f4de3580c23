import { render, screen, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { expect } from "vitest";

import App from "../App.svelte";
import { Answers } from "../lib/data/answers";
import type { Settings } from "../lib/host/bindings";
import { mockHost, type MockHost } from "../lib/host/mock/mock";

/** Opens the whole window on a made-up market and waits for its first rows. */
export async function openDesk({
  rows = 400,
  settings = {},
  prepare,
}: { rows?: number; settings?: Partial<Settings>; prepare?: (host: MockHost) => void } = {}) {
  const host = mockHost({ rows });
  host.settings = { ...host.settings, ...settings };
  prepare?.(host);
  const view = render(App, { answers: new Answers(host) });
  const user = userEvent.setup();
  return { host, user, ...view };
}

/** Opens the window and waits until the table of offers is filled. */
export async function openMarket(options: Parameters<typeof openDesk>[0] = {}) {
  const desk = await openDesk(options);
  await desk.user.click(await screen.findByRole("radio", { name: "Offers" }));
  await within(await screen.findByRole("grid", { name: "Offers" })).findAllByRole("row", { selected: true });
  return desk;
}

/** What the last request of a command asked. */
export function lastAsked(host: MockHost, command: string): unknown {
  return host.asked.findLast((one) => one.command === command)?.request;
}

/** Fails with every rule that the page breaks. Colours are proved by the tokens' own test: jsdom has none. */
export async function expectAccessible(element: Element): Promise<void> {
  const { violations } = await axe.run(element, {
    rules: { "color-contrast": { enabled: false }, region: { enabled: false } },
  });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`)).toEqual([]);
}
