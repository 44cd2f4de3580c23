// Pictures of every view in the real window: both themes, both languages, two sizes, under target/shots as
// NAME-THEME-LANGUAGE-WxH.png. They show the shipped price lists: real prices with their age, and no network.

import { once } from "node:events";
import { mkdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";

import { Desk, Key, offline, root } from "./desk.js";

const folder = path.join(root, "target/shots");
const sizes = [
  [1440, 860],
  [1024, 700],
];
const query = "h100 x8 zone:eea nvlink";
const job = { hours: 48, disk_gb: 500, egress_gb: 200 };

/** Sets what a person chose, and opens the page anew with it. */
async function choose(desk, wanted) {
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

const view = (line, sort) => ({
  line,
  sort,
  descending: false,
  job,
  currency: "USD",
  include_unknown: false,
  include_quarantine: false,
});

/** What every picture starts from. */
const start = {
  job,
  welcomed: true,
  last_view: view(query, "total"),
  details_folded: false,
  facets_folded: false,
};

/** Every picture: its name, and what is done before it is taken, starting from the offers. */
const pictures = [
  ["market", async () => {}],
  ["market-empty", async (desk) => type(desk, "h100 x8 country:is vram>=500 ")],
  ["market-mistake", async (desk) => type(desk, "h100 zone:eae ")],
  [
    "by-gpu",
    async (desk) => {
      await type(desk, "");
      await tab(desk, 0);
    },
  ],
  ["compare", async (desk) => tab(desk, 2)],
  [
    "palette",
    async (desk) => {
      await desk.control("k");
      await desk.find("[role=dialog], [role=listbox]");
    },
  ],
  [
    "keys",
    async (desk) => {
      await desk.press("?");
      await desk.find("[role=dialog]");
    },
  ],
  ["rentals", async (desk) => desk.press("2")],
  ["spend", async (desk) => desk.press("3")],
  ["plan", async (desk) => desk.press("4")],
  ["settings", async (desk) => desk.press(",")],
];

async function type(desk, line) {
  const [clear] = await desk.driver.findElements({ css: ".line > button:last-of-type" });
  await clear?.click();
  await desk.press("/");
  const field = await desk.find("[role=searchbox]");
  if (line) await field.sendKeys(line);
}

async function tab(desk, index) {
  const tabs = await desk.driver.findElements({ css: "[role=radiogroup] [role=radio]" });
  await tabs[index].click();
}

/** Waits until nothing is on its way any more and the page stands still. */
async function settled(desk) {
  let last;
  await desk.driver.wait(async () => {
    const now = await desk.run(() => document.body.innerHTML.length + document.body.innerText);
    const still = now === last;
    last = now;
    return still;
  }, 10_000);
}

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
// Until it is told not to fetch, the desk asks somebody who never answers: an answer, also a refusal, would be shown.
const silent = createServer(() => {}).listen(0, "127.0.0.1");
await once(silent, "listening");
const nobody = `http://127.0.0.1:${silent.address().port}`;
const desk = await Desk.open({ env: Object.fromEntries(Object.keys(offline).map((name) => [name, nobody])) });
try {
  await choose(desk, { auto_refresh: false });
  await desk.restart();
  const best = await desk.ask("market_page", {
    view: view(query, "total"),
    offset: 0,
    limit: 3,
    facets: false,
  });
  const compare = best.rows.map((row) => row.offer.id);
  let taken = 0;
  for (const language of ["en", "ru"]) {
    for (const theme of ["dark", "light"]) {
      for (const [width, height] of sizes) {
        for (const [name, prepare] of pictures) {
          await desk.resize([width, height]);
          await choose(desk, { ...start, language, theme, compare });
          await prepare(desk);
          await settled(desk);
          await desk.picture(path.join(folder, `${name}-${theme}-${language}-${width}x${height}.png`));
          taken += 1;
        }
      }
    }
  }
  await choose(desk, { ...start, language: "en", theme: "dark", welcomed: false });
  await desk.find("[role=dialog]");
  await settled(desk);
  await desk.picture(path.join(folder, "welcome-dark-en-1440x860.png"));
  console.log(`${taken + 1} pictures in target/shots`);
} finally {
  await desk.close();
  silent.close();
}
