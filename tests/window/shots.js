// Pictures of every view in the real window: both themes, both languages, two sizes, under target/shots as
// NAME-THEME-LANGUAGE-WxH.png. They show the shipped price lists: real prices with their age, and no network.

import { once } from "node:events";
import { mkdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";

import { Desk, Key, Market, offline, root } from "./desk.js";
import { choose, settled, tab, type } from "./pictures.js";
import { pictures as rentalPictures, rent, stranger } from "./shots-rentals.js";

const folder = path.join(root, "target/shots");
const sizes = [
  [1440, 860],
  [1024, 700],
];
const query = "h100 x8 zone:eea nvlink";
const job = { hours: 48, disk_gb: 500, egress_gb: 200 };

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

/** The policies, in the middle of the settings. */
async function policies(desk) {
  await desk.press(",");
  await desk.find(".policies");
  await desk.run(() => document.querySelector(".policies").scrollIntoView({ block: "center" }));
}

/** The team's own servers, in the middle of the settings. */
async function hosts(desk) {
  // Nobody answers there: the picture needs no server, and shows what is said of one that is away.
  const nothing = { bought: "", resale: "", seller: "", owner: "" };
  const cost = { price: "240000", running: "2128", currency: "EUR" };
  await desk.ask("host_add", {
    alias: "rack4.invalid",
    country: "DE",
    place: "Rack 4",
    ...cost,
    ...nothing,
  });
  await desk.press(",");
  await desk.find(".hosts .host");
  await desk.run(() => document.querySelector(".hosts").scrollIntoView({ block: "center" }));
}

/** The usual lease, in the middle of the settings. */
async function usualLease(desk) {
  await desk.press(",");
  await desk.find("main h2");
  await desk.run(() => {
    const heads = [...document.querySelectorAll("main h2")];
    const lease = heads.find((head) => /lease|аренды/i.test(head.innerText));
    lease.scrollIntoView({ block: "center" });
  });
}

/** The notices, in the middle of the settings. */
async function notices(desk) {
  await desk.press(",");
  await desk.find(".notices table");
  await desk.run(() => document.querySelector(".notices").scrollIntoView({ block: "center" }));
}

/** Work that a person brings: a large model on data of people, done in four days, may be interrupted. */
const work = {
  task: "finetune",
  model: "Llama 3.1 70B",
  method: "qlora",
  params: null,
  active_params: null,
  layers: null,
  kv_heads: null,
  head_dim: null,
  hidden: null,
  vram_gib: null,
  precision: null,
  context: null,
  concurrency: null,
  tokens: null,
  hours: null,
  interruptible: true,
  checkpoint_minutes: null,
  policy: "gdpr",
  dataset_gb: 50,
  disk_gb: null,
  egress_gb: null,
  currency: "USD",
  assumptions: [],
  limit: 20,
};

/** The plan view with this work. */
async function plan(desk, wanted = work) {
  const deadline = new Date(Date.now() + 4 * 86_400_000).toISOString().slice(0, 10);
  await choose(desk, { last_plan: { ...wanted, deadline } });
  await desk.press("4");
  await desk.until(() => document.querySelector(".result section, .result .empty"), "the plan");
}

/** The other side of it, as it opens for somebody new. */
async function buy(desk) {
  await choose(desk, { last_buy: null });
  await desk.press("4");
  await desk.press("]");
  await desk.find(".buy-chart");
}

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
  ["market-policy", async (desk) => type(desk, "h100 x8 policy:gdpr ")],
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
  ["plan", plan],
  [
    "plan-option",
    async (desk) => {
      await plan(desk);
      await desk.press("j");
      await desk.press(Key.ENTER);
      await desk.find("tr.more");
    },
  ],
  [
    "plan-nothing",
    async (desk) => {
      await plan(desk, { ...work, model: null, params: "900T", method: "full" });
    },
  ],
  ["buy", buy],
  [
    "buy-more",
    async (desk) => {
      await buy(desk);
      await desk.run(() => document.querySelector(".result .scroll").scrollTo(0, 520));
    },
  ],
  ["settings", async (desk) => desk.press(",")],
  ["policies", policies],
  ["usual-lease", usualLease],
  ["hosts", hosts],
  [
    "host-new",
    async (desk) => {
      await hosts(desk);
      await desk.click(() => document.querySelector(".hosts .add"), "the button for a new server");
      await desk.find("[role=dialog] form");
    },
  ],
  ["notices", notices],
  [
    "notices-mail",
    async (desk) => {
      await notices(desk);
      await desk.click(() => document.querySelector(".notices .setting .button"), "the mail server");
      await desk.find("[role=dialog] form");
    },
  ],
  [
    "policy-new",
    async (desk) => {
      await policies(desk);
      await desk.click(() => document.querySelector(".policies .add"), "the button for a new policy");
      await desk.find("[role=dialog] form");
    },
  ],
];

const practicePictures = [["practice-market", async () => {}]];

/** Names of pictures to take; without any, all of them. */
const wanted = process.argv.slice(2);

const isWanted = ([name]) => wanted.length === 0 || wanted.includes(name);

let taken = 0;

/** Takes these pictures in both languages, both themes and all sizes. */
async function take(desk, pictures, settings) {
  const chosen = pictures.filter(isWanted);
  for (const language of ["en", "ru"]) {
    for (const theme of ["dark", "light"]) {
      for (const [width, height] of sizes) {
        for (const [name, prepare] of chosen) {
          await desk.resize([width, height]);
          await choose(desk, { ...settings, language, theme });
          const file = `${name}-${theme}-${language}-${width}x${height}.png`;
          try {
            await prepare(desk);
            await settled(desk);
          } catch (problem) {
            throw new Error(`${file}: ${problem.message}`, { cause: problem });
          }
          await desk.picture(path.join(folder, file));
          taken += 1;
        }
      }
    }
  }
}

/** The market and the views without machines: the shipped price lists, and no network. */
async function shipped() {
  // Until it is told not to fetch, the desk asks somebody who never answers: an answer, also a refusal, would be shown.
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const nobody = `http://127.0.0.1:${silent.address().port}`;
  const desk = await Desk.open({
    env: Object.fromEntries(Object.keys(offline).map((name) => [name, nobody])),
  });
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
    await take(desk, pictures, { ...start, compare });
    await choose(desk, { ...start, language: "en", theme: "dark", welcomed: false });
    await desk.find("[role=dialog]");
    await settled(desk);
    await desk.picture(path.join(folder, "welcome-dark-en-1440x860.png"));
    taken += 1;
  } finally {
    await desk.close();
    silent.close();
  }
}

/** Renting, at the clouds of the practice market. */
async function renting() {
  const market = await Market.start();
  const renter = await Desk.open({ env: { ...market.env, ...market.keys } });
  try {
    await choose(renter, { welcomed: true });
    const over = await rent(renter, "cloud:lambda a10", "old-a", "ready");
    await renter.ask("rental_end", { rental: over });
    await renter.ask("project_policy_set", { project: "clients", policy: "gdpr" });
    const reason = { project: "clients", override_policy: "synthetic data only" };
    await rent(renter, "cloud:vast h100 x8 on-demand", "train-a", "ready", reason);
    await rent(renter, "cloud:runpod h100 x1", "eval-7", "ready");
    await stranger(market);
    await renter.ask("reconcile");
    const offers = { ...start, last_view: view("cloud:vast h100 x8 on-demand", "total") };
    await take(renter, rentalPictures, offers);
  } finally {
    await renter.close();
    await market.stop();
  }
}

/** The practice market as a newcomer sees it. */
async function practice() {
  const newcomer = await Desk.open();
  try {
    await newcomer.ask("practice_set", { on: true });
    const offers = { ...start, last_view: view("cloud:vast h100 x8", "total") };
    await take(newcomer, practicePictures, offers);
  } finally {
    await newcomer.close();
  }
}

if (wanted.length === 0) await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
if (pictures.some(isWanted)) await shipped();
if (rentalPictures.some(isWanted)) await renting();
if (practicePictures.some(isWanted)) await practice();
console.log(`${taken} pictures in target/shots`);
