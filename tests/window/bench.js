// How fast the window is there and answers, and what it costs while nobody touches it. Run by `make bench`, with a
// release build and 100,000 offers in the database.

import { spawn } from "node:child_process";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { brokenBudgets, median, quantile, report } from "./budget.js";
import { Desk, gpudesk, Key, newHome, offline, programs } from "./desk.js";
import { cpuSeconds, family, pss } from "./process.js";

const OFFERS = 100_000;
const STARTS = 7;
const KEYS = 200;
/** Between two keys of somebody who types fast. */
const BETWEEN_KEYS = 120;
const IDLE_SECONDS = 20;
/** What a start leaves to do is done by then, on a busy machine too. */
const SETTLE_SECONDS = 30;

/** Fills a desk with real shapes: the shipped offers of two clouds, repeated under other names and nearby prices. */
async function fill(home) {
  const seed = await newHome();
  const shipped = JSON.parse(
    await gpudesk(["offers", "form:vm", "on-demand", "--json"], { home: seed }),
  ).offers;
  await rm(seed, { recursive: true });
  const usable = shipped.filter(
    ({ provider, gpu, price }) =>
      ["aws", "azure"].includes(provider) && gpu.model && !gpu.fraction && price.currency === "USD",
  );
  if (usable.length === 0) throw new Error("the shipped market has no offers to repeat");
  const header =
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice\n";
  const files = { aws: header, azure: header };
  for (let row = 0; row < OFFERS; row += 1) {
    const offer = usable[row % usable.length];
    const turn = Math.floor(row / usable.length);
    const price = Number(offer.price.per_hour) * (1 + ((turn * 7) % 40) / 200);
    const cells = [
      `${offer.name}-${turn}`,
      offer.gpu.raw_name,
      offer.gpu.count,
      offer.vcpu ?? "",
      offer.ram_gib ?? "",
    ];
    files[offer.provider] += [...cells, price.toFixed(4), offer.place.region ?? "", "", ""].join(",") + "\n";
  }
  const folder = path.join(home, "lists");
  await mkdir(folder, { recursive: true });
  for (const [cloud, text] of Object.entries(files)) await writeFile(path.join(folder, `${cloud}.csv`), text);
  await gpudesk(["import", "skypilot", folder, "--json"], { home });
  return JSON.parse(await gpudesk(["offers", "--limit", "1", "--json"], { home })).total;
}

/** Opens the desk on the table of offers, past the first-run sheet. */
async function openOffers(home) {
  const desk = await Desk.open({ home });
  if (await desk.run(() => document.querySelector("[role=dialog]") !== null)) {
    await (await desk.role("button", "Just look")).click();
    await desk.until(() => document.querySelector("[role=dialog]") === null, "the sheet to close");
  }
  await (await desk.role("radio", "Offers")).click();
  await desk.until(
    () =>
      document.querySelector("[role=grid]")?.getAttribute("aria-label") === "Offers" &&
      document.querySelector("[role=grid] [role=row][aria-selected]") !== null,
    "the offers",
  );
  return desk;
}

/** How busy the machine is: what is measured beside others' work is slower than it is. */
const busy = () => `(load ${loadavg()[0].toFixed(1)})`;

/** A stand-in for the app that notes the moment it was started, then becomes the app. */
async function clocked(home) {
  const file = path.join(home, "clocked-app");
  const note = path.join(home, "started-at");
  const app = path.join(programs, "gpudesk-app");
  await writeFile(file, `#!/bin/sh\ndate +%s%N > '${note}'\nexec '${app}'\n`);
  await chmod(file, 0o755);
  return { file, startedAt: async () => Number(await readFile(note, "utf8")) / 1e6 };
}

async function measureStart(home) {
  const app = await clocked(home);
  const times = [];
  for (let start = 0; start <= STARTS; start += 1) {
    const desk = await Desk.open({ home, binary: app.file });
    const painted = await desk.run(
      () => performance.timeOrigin + performance.getEntriesByName("rows-painted")[0].startTime,
    );
    // The first start warms the caches and is not counted.
    if (start > 0) times.push(painted - (await app.startedAt()));
    await desk.close();
  }
  report(`process start to rows painted, median of ${STARTS}`, median(times), "ms", 1000);
  report("the slowest of them", Math.max(...times), "ms");
}

/** Every key changes the answer; the time runs from the key to the frame after the changed rows. */
async function measureKeys(home) {
  const desk = await openOffers(home);
  await desk.press("/");
  await desk.press("vram>=4");
  await desk.run(() => {
    window.keyTimes = [];
    window.addEventListener(
      "keydown",
      (event) => {
        const rows = document.querySelector("[role=grid]");
        const seen = new MutationObserver(() => {
          seen.disconnect();
          requestAnimationFrame(() =>
            setTimeout(() => window.keyTimes.push(performance.now() - event.timeStamp)),
          );
        });
        seen.observe(rows, { subtree: true, childList: true, characterData: true, attributes: true });
      },
      true,
    );
  });
  for (let key = 0; key < KEYS; key += 1) {
    await desk.press(key % 2 === 0 ? "0" : Key.BACK_SPACE);
    // To ask the page whether it is done would hold it up.
    await pause(BETWEEN_KEYS);
  }
  await desk.until((count) => window.keyTimes.length >= count, "the rows after the last key", KEYS);
  const times = await desk.run(() => window.keyTimes);
  report(`key press to repainted rows, p95 of ${KEYS}`, quantile(times, 0.95), "ms", 50);
  report("the median of them", median(times), "ms");
  report("the slowest of them", Math.max(...times), "ms");
  await desk.close();
}

/** Scrolls far and fast, and counts the frames in which a visible row had no text. */
async function measureScroll(home) {
  const desk = await openOffers(home);
  const [blank, behind] = await desk.driver.executeAsyncScript(function () {
    const done = arguments[arguments.length - 1];
    const grid = document.querySelector("[role=grid]");
    const rowsInSight = () => [...grid.querySelectorAll("[role=row][aria-selected]")];
    const rowHeight = rowsInSight()[0].offsetHeight;
    let frames = 0;
    const runs = { blank: 0, behind: 0 };
    const longest = { blank: 0, behind: 0 };
    const note = (what, is) => {
      runs[what] = is ? runs[what] + 1 : 0;
      longest[what] = Math.max(longest[what], runs[what]);
    };
    const look = () => {
      const rows = rowsInSight();
      note(
        "blank",
        rows.some((row) => !row.innerText.trim()),
      );
      // Row 1 is the head.
      const first = Number(rows[0].getAttribute("aria-rowindex")) - 2;
      note("behind", Math.abs(first - Math.floor(grid.scrollTop / rowHeight)) > 1);
      frames += 1;
      if (frames > 240) return done([longest.blank, longest.behind]);
      // A flick, a page at a time, and now and then a jump across the whole list.
      grid.scrollTop =
        frames % 40 === 0 ? (grid.scrollHeight * ((frames * 37) % 100)) / 100 : grid.scrollTop + 800;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  report("frames in a row with a blank row while scrolling", blank, "frames", 1);
  report("frames in a row with rows of another place", behind, "frames");
  await desk.close();
}

/** Starts a program, leaves it alone, and measures what it uses. */
async function idle(binary, home) {
  const child = spawn(path.join(programs, binary), [], {
    env: { ...process.env, ...offline, GPUDESK_HOME: home },
    stdio: "ignore",
  });
  await pause(SETTLE_SECONDS * 1000);
  const before = await cpuSeconds(child.pid);
  await pause(IDLE_SECONDS * 1000);
  const cpu = ((await cpuSeconds(child.pid)) - before) / IDLE_SECONDS;
  const own = await pss(child.pid);
  let web = 0;
  for (const member of await family(child.pid)) {
    if (member.pid !== child.pid) web += await pss(member.pid);
  }
  child.kill();
  return { cpu: cpu * 100, own, web };
}

async function measureIdle(home) {
  const desk = await idle("gpudesk-app", home);
  const empty = await idle("examples/empty-window", await newHome());
  report(`idle over ${IDLE_SECONDS} s, one core`, desk.cpu, "%", 1);
  report("memory of the app process (PSS)", desk.own, "MB", 150);
  report("memory of its WebKit processes (PSS)", desk.web, "MB");
  report("an empty window: idle, one core", empty.cpu, "%");
  report("an empty window: app process (PSS)", empty.own, "MB");
  report("an empty window: WebKit processes (PSS)", empty.web, "MB");
}

const home = await newHome();
try {
  const offers = await fill(home);
  console.log(`${offers} offers in the database`);
  for (const measure of [measureStart, measureKeys, measureScroll, measureIdle]) {
    console.log(`${measure.name} ${busy()}`);
    await measure(home);
  }
} finally {
  await rm(home, { recursive: true, force: true });
}
process.exitCode = brokenBudgets() > 0 ? 1 : 0;
