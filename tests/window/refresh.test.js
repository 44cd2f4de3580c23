// The window and the network: live offers come in by themselves, a bad day of a cloud is told calmly.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Desk, Market } from "./desk.js";

let market;

before(async () => {
  market = await Market.start();
});
after(() => market.stop());

test("live offers come in by themselves and a failing cloud keeps its last ones", async () => {
  const desk = await Desk.open({ env: market.env });
  try {
    await (await desk.role("button", "Just look")).click();
    const live = async () => {
      const view = {
        line: "cloud:vast on-demand",
        sort: "gpu-hour",
        descending: false,
        job: null,
        currency: "USD",
        include_unknown: false,
        include_quarantine: false,
      };
      return desk.ask("market_page", { view, offset: 0, limit: 1, facets: false });
    };
    await desk.driver.wait(async () => (await live()).total === 192, 20_000, "192 offers of Vast");
    const price = (await live()).rows[0].per_gpu_hour;

    await market.fail({ path: "/api/v0/bundles/", kind: "html" });
    await desk.ask("sources_refresh", { sources: ["vast"] });
    await desk.says("Vast");
    await desk.until(() => document.querySelector(".banner") !== null, "a banner");
    assert.equal((await live()).total, 192);

    await market.heal();
    await market.movePrices(1.5);
    await (await desk.role("button", "Try again")).click();
    await desk.until(() => document.querySelector(".banner") === null, "the banner to go");
    const moved = async () => Number((await live()).rows[0].per_gpu_hour) / Number(price);
    await desk.driver.wait(async () => Math.abs((await moved()) - 1.5) < 0.001, 20_000, "the new prices");
  } finally {
    await desk.close();
  }
});

test("without a network the window says how old its prices are", async () => {
  const desk = await Desk.open();
  try {
    // Every source is tried again for a while before it is taken to be out of reach.
    const says = async () => (await desk.text()).includes("Offline.");
    await desk.driver.wait(says, 60_000, "the banner of a desk without a network");
    assert.match(await desk.text(), /\d+ (month|day|d|h)/);
  } finally {
    await desk.close();
  }
});
