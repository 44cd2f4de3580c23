// A newcomer at the practice market, in the real window: from the door to the receipt, by mouse and by keyboard.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Desk, Key } from "./desk.js";

let desk;

before(async () => {
  desk = await Desk.open();
});
after(() => desk.close());

/** Waits until the rental in the details is in this state. */
const state = (word) =>
  desk.until(
    (word) => document.querySelector(".details .state")?.innerText.startsWith(word),
    `the state ${word}`,
    word,
  );

/** Waits until there is a sheet with this title. */
const sheet = (title) =>
  desk.until(
    (title) => document.querySelector("[role=dialog] h2")?.innerText.includes(title),
    `a sheet “${title}”`,
    title,
  );

const noSheet = () =>
  desk.until(() => document.querySelector("[role=dialog]") === null, "the sheet to close");

/** Moves the focus by Tab until it is on something of this name. */
async function tabTo(name) {
  for (let step = 0; step < 80; step += 1) {
    const reached = await desk.run((name) => {
      const focus = document.activeElement;
      return `${focus?.innerText} ${focus?.ariaLabel}`.includes(name) && focus.matches("button, a");
    }, name);
    if (reached) return;
    await desk.press(Key.TAB);
  }
  assert.fail(`no Tab leads to “${name}”`);
}

/** Waits until the live offers of the practice market have taken the place of the shipped price lists. */
async function liveOffers() {
  await desk.until(() => document.querySelector("[role=grid]")?.ariaLabel === "Offers", "the offers");
  await desk.until(
    () =>
      document.querySelectorAll(".chip").length === 2 &&
      // The shipped lists know no bids: those come with the live offers.
      /H100[^]*\bbid\b/.test(document.querySelector("[role=grid] [role=row][aria-selected]")?.innerText),
    "an offer of the practice market",
  );
}

/** Asks the machine for its card, in the terminal, and leaves again. */
async function lookAtCard() {
  await desk.until(
    () =>
      /[$#]\s*$/.test(document.querySelector(".pane:not([hidden]) .xterm-rows")?.innerText.trimEnd() ?? ""),
    "a prompt",
  );
  await desk.until(
    () => document.activeElement?.matches(".pane:not([hidden]) .xterm-helper-textarea"),
    "the focus in the terminal",
  );
  await desk.press("nvidia-smi", Key.ENTER);
  await desk.until(
    () => /NVIDIA[\s\u00a0]+H100/.test(document.querySelector(".pane:not([hidden]) .xterm-rows").innerText),
    "the card that was rented",
  );
  await desk.press(Key.F6);
  await desk.until(() => document.activeElement?.matches("[role=grid]"), "the focus back on the rows");
}

const query = "cloud:vast h100 ";

test("by mouse: door, offer, machine, shell, stop, start, end, receipt", async () => {
  await desk.clickButton("Practice market");
  await desk.says("nothing costs money");
  await desk.clickButton("Offers", "main");
  await (await desk.find("[role=searchbox]")).sendKeys(query);
  await liveOffers();
  await desk.click(() => document.querySelector("[role=grid] [role=row][aria-selected]"), "the first offer");
  await desk.clickButton("Rent", ".details");
  await sheet("Rent");
  await desk.clickButton("Rent for", "[role=dialog]");
  await state("Ready");

  await desk.clickButton("Open terminal", ".details");
  await lookAtCard();

  await desk.clickButton("Stop…", ".details");
  await sheet("Stop");
  await desk.clickButton("Stop ", "[role=dialog]");
  await state("Stopped");
  await desk.clickButton("Start", ".details");
  await state("Ready");

  await desk.clickButton("End…", ".details");
  await sheet("End");
  await desk.clickButton("End ", "[role=dialog]");
  await noSheet();
  await state("Ended");
  await desk.clickButton("Receipt", ".details");
  await sheet("Receipt");
  await desk.says("Total");
  await desk.clickButton("Close", "[role=dialog]");
});

test("the same by keyboard alone", async () => {
  await desk.press("1");
  await desk.until(() => document.querySelector("[role=grid]")?.ariaLabel === "Offers", "the offers");
  await desk.press("/", Key.ENTER);
  await liveOffers();
  await desk.until(() => document.activeElement?.matches("[role=grid]"), "the focus on the rows");
  await desk.press("j");
  await desk.press("r");
  await sheet("Rent");
  assert.ok(
    await desk.run(() => !document.activeElement.matches(".close")),
    "a sheet that opens does not wait to be closed",
  );
  await tabTo("Rent for");
  await desk.press(Key.ENTER);
  await state("Ready");

  await desk.press("c");
  await lookAtCard();

  await desk.press("s");
  await sheet("Stop");
  await tabTo("Stop ");
  await desk.press(Key.ENTER);
  await state("Stopped");
  await desk.press("s");
  await state("Ready");

  await desk.press("e");
  await sheet("End");
  await tabTo("End ");
  await desk.press(Key.ENTER);
  await state("Ended");
  await tabTo("Receipt");
  await desk.press(Key.ENTER);
  await sheet("Receipt");
  await desk.says("Total");
  await desk.press(Key.ESCAPE);
  await noSheet();
});
