// System notifications with their buttons, in the real window, shown by a notification server on a session bus.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";

import { Desk, Market, programs } from "./desk.js";
import { choose } from "./pictures.js";
import { rent } from "./shots-rentals.js";

const shown = [];
const waiting = [];
let desk, market, server;

/** A notification whose title says so, come already or still to come. */
function notification(words) {
  const found = shown.find(({ summary }) => summary?.includes(words));
  if (found) return Promise.resolve(found);
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`no “${words}” in ${JSON.stringify(shown)}`)), 60_000);
    waiting.push((one) => {
      if (!one.summary?.includes(words)) return;
      clearTimeout(late);
      resolve(one);
    });
  });
}

/** The buttons of a notification: what each does, and what it says. */
const buttons = ({ actions }) =>
  Object.fromEntries(actions.flatMap((key, at) => (at % 2 === 0 ? [[key, actions[at + 1]]] : [])));

const press = ({ id }, key) => server.stdin.write(`${id} ${key}\n`);

const leaseEnd = async () =>
  Date.parse((await desk.ask("rental_get", { rental: "eval-7" })).rental.lease.until);

before(async () => {
  server = spawn(path.join(programs, "examples/notification-server"), { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: server.stdout });
  await new Promise((ready) => lines.once("line", ready));
  lines.on("line", (line) => {
    const one = JSON.parse(line);
    shown.push(one);
    for (const hear of waiting) hear(one);
  });
  market = await Market.start();
  desk = await Desk.open({ env: { ...market.env, ...market.keys } });
  await choose(desk, { welcomed: true });
  await rent(desk, "cloud:runpod h100 x1", "eval-7", "ready", { on_expiry: "end" });
});

after(async () => {
  await desk?.close();
  await market?.stop();
  server?.kill();
});

test("a machine that is ready can be connected to from its notification", async () => {
  assert.equal(buttons(await notification("eval-7: ready")).connect, "Connect");
});

test("a lease that ends soon is extended by one click on its notification, once", async () => {
  const soon = Date.now() + 5 * 60_000;
  const until = new Date(soon).toISOString();
  const lease = { rental: "eval-7", until, max_spend: null, idle_minutes: null, on_expiry: "end" };
  await desk.ask("rental_lease_set", lease);
  const notice = await notification("its lease ends soon");
  assert.equal(buttons(notice).extend, "Extend by 1 h");
  press(notice, "extend");
  await desk.until(
    async (before) => {
      const { rental } = await window.__TAURI_INTERNALS__.invoke("call", {
        command: "rental_get",
        request: { rental: "eval-7" },
      });
      return Date.parse(rental.lease.until) > before;
    },
    "the lease to be extended",
    soon + 60_000,
  );
  const more = (await leaseEnd()) - soon;
  assert.ok(Math.abs(more - 3_600_000) < 1000, `${more} ms more`);
});
