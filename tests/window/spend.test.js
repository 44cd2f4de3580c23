// Spending and leases in the real window: the table sums to the cent, a budget is kept, a lease ends a machine.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Desk, Key, Market } from "./desk.js";
import { choose } from "./pictures.js";
import { rent } from "./shots-rentals.js";

let desk, market;

before(async () => {
  market = await Market.start();
  desk = await Desk.open({ env: { ...market.env, ...market.keys } });
  await choose(desk, { welcomed: true });
  await rent(desk, "cloud:runpod h100 x1", "eval-7", "ready", { on_expiry: "end", project: "llama" });
  await rent(desk, "cloud:lambda a10", "tune-1", "ready", { project: "chat" });
});

after(async () => {
  await desk?.close();
  await market?.stop();
});

/** Cents of `$1,234.56`, with or without a sign for “at least” before it. */
const cents = (text) => Math.round(Number(text.replace(/[^\d.]/g, "")) * 100);

test("the table sums to the total it shows, whatever it is summed by", async () => {
  await desk.press("3");
  for (const by of ["Provider", "Project", "Machine"]) {
    await desk.click(
      (by) => [...document.querySelectorAll("header [role=radio]")].find((one) => one.innerText.includes(by)),
      by,
      by,
    );
    const shown = await desk.until(
      (by) => {
        // The chart has a table of its own, for those who cannot see it.
        const table = document.querySelector("main tfoot")?.closest("table");
        const head = table?.querySelector("thead th").innerText ?? "";
        const rows = [...(table?.querySelectorAll("tbody td.total") ?? [])].map((cell) => cell.innerText);
        const total = table?.querySelector("tfoot td.total")?.innerText;
        return head.includes(by) && rows.length === 2 && total ? { rows, total } : null;
      },
      `two lines by ${by}`,
      by,
    );
    const sum = shown.rows.map(cents).reduce((a, b) => a + b, 0);
    assert.equal(sum, cents(shown.total), `${by}: ${JSON.stringify(shown)}`);
  }
});

test("a budget is made in the window and known to the desk", async () => {
  await desk.click(() => document.querySelector("aside.details .budget-add"), "the button for a new budget");
  await (await desk.find("[role=dialog] input[inputmode=decimal]")).sendKeys("0.01");
  await desk.clickButton("Save", "[role=dialog]");
  await desk.until(() => document.querySelector("[role=dialog]") === null, "the sheet to close");
  const [budget] = await desk.ask("budgets_list");
  assert.deepEqual([budget.name, budget.amount, budget.hard], ["team", "0.01", "tell"]);
  await desk.until(
    () => !document.querySelector("aside.details").innerText.includes("No budget yet"),
    "the budget in the panel",
  );
});

test("a lease that is over ends its machine, and the window says by whom", async () => {
  const now = new Date().toISOString();
  const lease = { rental: "eval-7", until: now, max_spend: null, idle_minutes: null, on_expiry: "end" };
  await desk.ask("rental_lease_set", lease);
  await desk.until(async () => {
    const { events } = await window.__TAURI_INTERNALS__.invoke("call", {
      command: "rental_get",
      request: { rental: "eval-7" },
    });
    return events.some((event) => event.text.includes("End asked for by desk"));
  }, "the guard to end it");
  await desk.press(Key.ESCAPE);
  await desk.press("2");
  await desk.until(
    () => !document.querySelector("[role=grid]").innerText.includes("eval-7"),
    "it to be gone",
  );
});
