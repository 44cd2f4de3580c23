// What the pictures and the checks of whole pages share: bringing a page into a known state, and waiting until it
// stands still.

import { isDeepStrictEqual } from "node:util";

/** Sets what a person chose, and opens the page anew with it. */
export async function choose(desk, wanted) {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    // The page saves what it remembers when it is left: it does so now, or it would write over what is set here.
    await desk.run(() => window.dispatchEvent(new Event("pagehide")));
    const settings = await desk.ask("settings_get");
    const answer = await desk.ask("settings_set", { ...settings, ...wanted });
    if (answer.code) throw new Error(`${answer.what}: ${answer.detail}`);
    await desk.run(() => (location.hash = "#/market"));
    await desk.driver.navigate().refresh();
    await desk.until(() => document.documentElement.dataset.painted, "the first rows");
    const kept = await desk.ask("settings_get");
    if (Object.keys(wanted).every((key) => isDeepStrictEqual(kept[key], wanted[key]))) return;
  }
  throw new Error("the page does not keep what was chosen");
}

/** Writes this into the query line, in place of what stands there. */
export async function type(desk, line) {
  const [clear] = await desk.driver.findElements({ css: ".line > button:last-of-type" });
  await clear?.click();
  await desk.press("/");
  const field = await desk.find("[role=searchbox]");
  if (line) await field.sendKeys(line);
}

/** Opens one of the ways to look at the market. */
export async function tab(desk, index) {
  const tabs = await desk.driver.findElements({ css: "[role=radiogroup] [role=radio]" });
  await tabs[index].click();
}

/** Waits until nothing is on its way any more and the page stands still; clocks may go on. */
export async function settled(desk) {
  let last;
  await desk.driver.wait(async () => {
    const now = await desk.run(() => {
      const text = document.body.innerText.replaceAll(/\d/g, "0");
      return document.body.querySelectorAll("*").length + text;
    });
    const still = now === last;
    last = now;
    return still;
  }, 10_000);
}
