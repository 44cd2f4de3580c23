// A person at the market, offline and without an account: what the issue of this version promises, in the real window.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Desk, Key } from "./desk.js";

let desk;

before(async () => {
  desk = await Desk.open();
});
after(() => desk.close());

/** Text of the offers in sight, a line a row. */
const rows = () =>
  desk.run(() =>
    [...document.querySelectorAll("[role=grid] [role=row][aria-selected]")].map((row) =>
      row.innerText.replace(/\s+/g, " "),
    ),
  );

/** “341 of 12 480 offers”: how many match, and of how many. */
const counts = () =>
  desk.run(() => {
    const text = document.querySelector(".counts").innerText;
    return [...text.matchAll(/\d[\d\s\u2009\u202f\u00a0]*/g)].map(([number]) =>
      Number(number.replace(/\D/g, "")),
    );
  });

/** Puts a line in place of the one that is there. */
async function query(line) {
  const [clear] = await desk.driver.findElements({ css: '[aria-label="Clear the query"]' });
  await clear?.click();
  await desk.press("/");
  const field = await desk.find("[role=searchbox]");
  await desk.until(
    () => document.activeElement?.getAttribute("role") === "searchbox",
    "the caret in the line",
  );
  if (line) await field.sendKeys(`${line} `);
}

test("opens on thousands of offers and a first-run sheet that says what is not built yet", async () => {
  await desk.says("Welcome to GPU Desk");
  await (await desk.role("button", "Just look")).click();
  await desk.until(() => document.querySelector("[role=dialog]") === null, "the sheet to close");
  const [all] = await counts();
  assert.ok(all > 2000, `only ${all} offers`);
  assert.ok((await rows()).length >= 10);
});

test("opens by card, the most offered first", async () => {
  const grid = await desk.find("[role=grid]");
  assert.match(await grid.getAttribute("aria-label"), /^Cards/);
  const column = await desk.run(() =>
    [...document.querySelectorAll("[role=columnheader]")].findIndex((head) => head.ariaSort === "descending"),
  );
  const offers = await desk.run(
    (column) =>
      [...document.querySelectorAll("[role=grid] [role=row][aria-selected]")].map((row) =>
        parseInt(row.children[column].innerText.replace(/[\s\u202f]/g, "")),
      ),
    column,
  );
  assert.ok(offers[0] > 100, `${offers}`);
  assert.deepEqual(
    offers,
    offers.toSorted((a, b) => b - a),
  );
  await (await desk.role("radio", "Offers")).click();
  await desk.until(() => document.querySelector("[role=grid]").ariaLabel === "Offers", "the offers");
});

test("a typed query becomes chips and narrows the table", async () => {
  await query("h100 x8 zone:eea nvlink");
  await desk.until(() => document.querySelectorAll(".chip").length === 4, "four chips");
  await desk.press(Key.ENTER);
  await desk.until(() => {
    const rows = [...document.querySelectorAll("[role=grid] [role=row][aria-selected]")];
    return rows.length > 0 && rows.every((row) => row.innerText.includes("H100"));
  }, "rows of H100 only");
  for (const row of await rows()) assert.match(row, /8\s?× H100/);
  const [matching, all] = await counts();
  assert.ok(matching > 0 && matching < all);
});

test("a job turns prices into totals, cheapest first", async () => {
  await (await desk.role("button", "Job")).click();
  for (const [label, value] of [
    ["Machine time", "48"],
    ["Disk", "500"],
    ["Traffic out", "200"],
  ]) {
    const field = await desk.role("spinbutton", label);
    await field.clear();
    await field.sendKeys(value, Key.TAB);
  }
  await desk.press(Key.ESCAPE);
  await desk.until(
    () => document.querySelector("[role=grid]").innerText.includes("Job total"),
    "the column of totals",
  );
  await desk.until(
    () => /48\s?h/.test(document.querySelector(".toolbar").innerText),
    "the job in the toolbar",
  );
});

test("a facet and the query line are the same thing", async () => {
  await query("h100");
  await desk.until(() => document.querySelectorAll(".chip").length === 1, "one chip");
  const before = await counts();
  const spot = async (label) => /^spot/.test(await label.getText());
  const box = await desk.first("label.check", spot, "the facet of spot offers");
  await box.click();
  await desk.until(() => document.querySelectorAll(".chip").length === 2, "a chip for the facet");
  // The chip is there at once, the rows follow.
  await desk.driver.wait(async () => (await counts())[0] < before[0], 10_000, "fewer offers");
  assert.ok((await counts())[0] > 0);
});

test("an unknown word is named with the nearest known one, and mended by a click", async () => {
  await query("h100 zone:eae");
  await desk.says("Did you mean");
  await (await desk.role("button", "EEA")).click();
  await desk.until(() => document.querySelector("[aria-invalid]") === null, "a line that is understood");
});

test("a card opens its offers", async () => {
  await query("");
  await (await desk.role("radio", "By GPU")).click();
  await desk.until(
    () => document.querySelector("[role=grid]")?.getAttribute("aria-label").startsWith("Cards"),
    "cards",
  );
  const card = await desk.find("[role=grid] [role=row][aria-selected]");
  await card.click();
  await desk.until(
    () => document.querySelector("[role=grid]")?.getAttribute("aria-label") === "Offers",
    "offers",
  );
  await desk.until(() => document.querySelectorAll(".chip").length === 1, "the card as a chip");
});

test("two offers stand side by side", async () => {
  await query("h100 x8");
  await desk.press(Key.ENTER);
  await desk.until(() => document.activeElement?.getAttribute("role") === "grid", "the focus on the rows");
  await desk.press("x");
  await desk.press("j");
  await desk.press("x");
  await (await desk.role("radio", "Compare 2")).click();
  await desk.until(() => document.querySelectorAll(".compare thead th").length === 2, "two columns");
  await desk.press(Key.ESCAPE);
});

test("the language changes without a restart", async () => {
  await desk.press(",");
  await (await desk.role("radio", "Русский")).click();
  await desk.says("Рынок");
  await (await desk.role("radio", "English")).click();
  await desk.says("Market");
});

test("dark and light are both there", async () => {
  const ground = () =>
    desk.run(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
  await (await desk.role("radio", "dark")).click();
  await desk.until(() => document.documentElement.dataset.theme === "dark", "the dark theme");
  const dark = await ground();
  await (await desk.role("radio", "light")).click();
  await desk.until(() => document.documentElement.dataset.theme === "light", "the light theme");
  const light = await ground();
  assert.ok(Math.max(...dark) < 60 && Math.min(...light) > 200, `${dark} and ${light}`);
});

test("a picture of the window is not empty", async () => {
  const picture = await desk.picture();
  assert.deepEqual(
    [...picture.subarray(1, 4)],
    [..."PNG"].map((c) => c.charCodeAt(0)),
  );
  assert.ok(picture.length > 20_000, `${picture.length} bytes`);
});

test("what was chosen is there after a restart", async () => {
  await desk.press("1");
  await query("l40s");
  await desk.press(Key.ENTER);
  await desk.until(() => document.querySelectorAll(".chip").length === 1, "the chip");
  // Settings are written a moment after the last change.
  const saved = async () => (await desk.ask("settings_get")).last_view?.line === "l40s";
  await desk.driver.wait(saved, 10_000, "the query to be saved");
  await desk.restart();
  await desk.until(
    () => document.querySelector(".chip")?.innerText.includes("L40S"),
    "the query of last time",
  );
  await desk.until(() => document.documentElement.dataset.theme === "light", "the theme of last time");
});
