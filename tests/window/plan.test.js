// Plan and rent-or-buy in the real window: what is typed there is what the desk answers, and a plan ends at the sheet.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Desk, Market } from "./desk.js";
import { choose } from "./pictures.js";

let desk, market;

before(async () => {
  market = await Market.start();
  desk = await Desk.open({ env: { ...market.env, ...market.keys } });
  await choose(desk, { welcomed: true });
});

after(async () => {
  await desk?.close();
  await market?.stop();
});

/** Writes into the field of this label, in place of what stands there. */
async function fill(label, text) {
  const field = await desk.first(
    "input",
    async (element) => (await element.getAccessibleName()).startsWith(label),
    `the field ${label}`,
  );
  await field.clear();
  if (text) await field.sendKeys(text);
}

test("the known break-even is shown, to the percent", async () => {
  await desk.press("4");
  await desk.press("]");
  await fill("GPU", "");
  await desk.run(() => {
    const power = [...document.querySelectorAll(".buy-form select")].at(0);
    power.value = "";
    power.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await fill("Price of a card", "30000");
  await fill("Other costs a card", "266");
  await fill("On demand", "2,50");
  await desk.until(
    () => /^79\s%/.test(document.querySelector(".figures")?.innerText ?? ""),
    "79 % of the month",
  );
  await desk.clickButton("30 %, 36 mo", ".buy-form");
  await desk.until(
    () => /^47\s%/.test(document.querySelector(".figures")?.innerText ?? ""),
    "47 % of the month",
  );
});

test("each changed figure is answered", async () => {
  const times = await desk.driver.executeAsyncScript(function (done) {
    const field = [...document.querySelectorAll(".buy-form label")]
      .find((label) => label.innerText === "Price of a card")
      .parentElement.querySelector("input");
    const shown = () => document.querySelector(".figures").innerText;
    const times = [];
    const { port1, port2 } = new MessageChannel();
    let [before, was, price] = [0, "", 31_000];
    const step = () => {
      if (times.length === 20) return done(times);
      [before, was, price] = [performance.now(), shown(), price + 500];
      field.value = String(price);
      field.dispatchEvent(new Event("input", { bubbles: true }));
      port2.postMessage(null);
    };
    port1.onmessage = () => {
      if (shown() === was) return port2.postMessage(null);
      times.push(performance.now() - before);
      requestAnimationFrame(step);
    };
    step();
  });
  const middle = times.toSorted((a, b) => a - b)[10];
  assert.equal(times.length, 20);
  console.log(`a changed figure is shown after ${middle.toFixed(1)} ms, in the middle of ${times.length}`);
});

test("the page to print is written", async () => {
  await desk
    .ask("buy_report", {
      buy: {
        gpu: null,
        count: 1,
        country: null,
        offer: null,
        currency: "USD",
        given: [
          { name: "price", value: "30000" },
          { name: "running", value: "266" },
          { name: "rent", value: "2.50" },
        ],
      },
      form: "html",
      language: "ru",
      open: false,
    })
    .then(({ path }) => assert.match(path ?? "", /rent-or-buy-cards-.*\.html$/));
});

test("a plan is what the desk answers, and leads to the filled sheet", async () => {
  await desk.press("[");
  await desk.clickButton("by memory", ".work-form");
  await fill("GPU memory", "8");
  const { options } = await desk.until(async () => {
    const settings = await window.__TAURI_INTERNALS__.invoke("call", {
      command: "settings_get",
      request: null,
    });
    const last = settings.last_plan;
    if (last?.vram_gib !== 8) return null;
    return window.__TAURI_INTERNALS__.invoke("call", { command: "plan_options", request: last });
  }, "the plan to be remembered");
  assert.ok(options.length > 0);
  const first = await desk.until(
    () => document.querySelector("tr.option .title")?.innerText,
    "the first option",
  );
  assert.ok(first.includes(options[0].gpu_title), `${first} is not ${options[0].gpu_title}`);
  await desk.clickButton("Rent", "tr.option");
  await desk.find("[role=dialog]");
});
