// Every page as assistive programs see it: axe in the real window, where colours and sizes are the ones on the screen.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";

import { Desk, root } from "./desk.js";
import { choose, settled, tab } from "./pictures.js";

let desk;
let axe;

before(async () => {
  axe = await readFile(path.join(root, "ui/node_modules/axe-core/axe.min.js"), "utf8");
  desk = await Desk.open();
});
after(() => desk.close());

/** What axe finds wrong with the page, one line a rule. */
async function faults() {
  await settled(desk);
  await desk.run(axe);
  return desk.driver.executeAsyncScript(function (done) {
    const line = ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 200)).join("\n  ")}`;
    window.axe
      .run(document, { resultTypes: ["violations"], rules: { "page-has-heading-one": { enabled: false } } })
      .then(
        ({ violations }) => done(violations.map(line)),
        (error) => done([String(error)]),
      );
  });
}

const pages = {
  "the market by card": async () => tab(desk, 0),
  "the offers": async () => tab(desk, 1),
  "the list of keys": async () => {
    await desk.press("?");
    await desk.find("[role=dialog]");
  },
  "the palette": async () => {
    await desk.control("k");
    await desk.find("[role=listbox]");
  },
  "the rentals": async () => desk.press("2"),
  spend: async () => desk.press("3"),
  plan: async () => desk.press("4"),
  "the settings": async () => desk.press(","),
};

for (const theme of ["dark", "light"]) {
  test(`every page is accessible, ${theme}`, async () => {
    for (const [name, open] of Object.entries(pages)) {
      await choose(desk, { welcomed: true, theme, language: theme === "dark" ? "en" : "ru" });
      await open();
      assert.deepEqual(await faults(), [], name);
    }
  });
}
