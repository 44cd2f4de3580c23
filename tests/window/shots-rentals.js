// Pictures of renting: machines at the practice market's clouds, reached as if they were the real ones, so that also a
// machine that nobody here rented can be shown.

import { Key } from "./desk.js";

/** Rents an offer with fixed choices and waits until it is in a state. */
export async function rent(desk, line, name, state, more = {}) {
  const view = { line, sort: "gpu-hour", descending: false, job: null, currency: "USD" };
  const market = { ...view, include_unknown: false, include_quarantine: false };
  let offer;
  await desk.driver.wait(async () => {
    const page = await desk.ask("market_page", { view: market, offset: 0, limit: 1, facets: false });
    offer = page.rows?.[0]?.offer;
    return offer?.source === "live";
  }, 60_000);
  const answer = await desk.ask("launch", {
    offer: offer.id,
    account: "",
    name,
    ssh_key: "",
    image: "",
    disk_gb: null,
    hours: 8,
    max_spend: null,
    idle_minutes: null,
    on_expiry: "end",
    owner: "ann",
    project: "llama",
    max_price: null,
    ...more,
  });
  if (answer.outcome !== "requested") throw new Error(`${name}: ${JSON.stringify(answer)}`);
  const rental = answer.rental.id;
  await desk.driver.wait(
    async () => (await desk.ask("rental_get", { rental })).rental?.state === state,
    120_000,
  );
  return rental;
}

/** Makes a machine in the account that the desk knows nothing of. */
export async function stranger(market) {
  const ask = async (method, path, body) => {
    const answer = await fetch(market.address + path, {
      method,
      headers: {
        authorization: `Bearer ${market.keys.GPUDESK_VAST_KEY}`,
        "content-type": "application/json",
      },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const wanted = { gpu_name: { in: ["RTX 4090"] }, num_gpus: { eq: 1 }, rentable: { eq: true }, limit: 1 };
  const { offers } = await ask("POST", "/api/v0/bundles/", wanted);
  await ask("PUT", `/api/v0/asks/${offers[0].id}/`, {
    image: "vastai/base-image:cuda-12.8.1-auto",
    disk: 20,
    label: "old-experiment",
    runtype: "ssh_direct",
  });
}

/** Opens the details of a row, by its first cell: in the middle there may be a button. */
const row = (desk, name) =>
  desk.click(
    (name) =>
      [...document.querySelectorAll("[role=grid] [role=row]")]
        .find((row) => row.innerText.includes(name))
        ?.querySelector("[role=gridcell]"),
    `the row ${name}`,
    name,
  );

async function rentals(desk, name) {
  await desk.press("2");
  await row(desk, name);
  await desk.find(".details");
}

/** Every picture: its name, and what is done before it is taken. */
export const pictures = [
  [
    "launch",
    async (desk) => {
      await desk.press("r");
      await desk.find("[role=dialog] form");
    },
  ],
  [
    "launch-policy",
    async (desk) => {
      await desk.press("r");
      await desk.find("[role=dialog] form");
      await desk.run(() => {
        const field = [...document.querySelectorAll("[role=dialog] input[list]")].at(-1);
        field.value = "clients";
        field.dispatchEvent(new Event("input", { bubbles: true }));
        field.dispatchEvent(new Event("change", { bubbles: true }));
      });
      await desk.find("[role=dialog] textarea");
    },
  ],
  ["rental", async (desk) => rentals(desk, "train-a")],
  [
    "rental-connect-menu",
    async (desk) => {
      await rentals(desk, "train-a");
      await desk.click(() => document.querySelector("[role=grid] .arrow"), "the menu of the machine");
      await desk.find("[role=menu]");
    },
  ],
  [
    "rental-over",
    async (desk) => {
      await desk.press("2");
      await desk.click(() => document.querySelector("header input[type=checkbox]"), "all machines");
      await row(desk, "old-a");
      await desk.find(".details");
    },
  ],
  ["unmanaged", async (desk) => rentals(desk, "old-experiment")],
  [
    "adopt",
    async (desk) => {
      await rentals(desk, "old-experiment");
      await desk.click(() => document.querySelector(".details .button.primary"), "Adopt");
      await desk.find("[role=dialog]");
    },
  ],
  [
    "terminal",
    async (desk) => {
      await rentals(desk, "train-a");
      await desk.press("c");
      await desk.until(
        () =>
          /[$#]\s*$/.test(
            document.querySelector(".pane:not([hidden]) .xterm-rows")?.innerText.trimEnd() ?? "",
          ),
        "a prompt",
      );
      await desk.press("nvidia-smi", Key.ENTER);
      await desk.until(
        () => /NVIDIA/.test(document.querySelector(".pane:not([hidden]) .xterm-rows").innerText),
        "the card",
      );
    },
  ],
  [
    "ports",
    async (desk) => {
      await rentals(desk, "train-a");
      await desk.click(() => document.querySelectorAll(".details .row .button")[2], "Ports");
      await desk.find("[role=dialog]");
    },
  ],
  [
    "stop",
    async (desk) => {
      await rentals(desk, "train-a");
      await desk.press("s");
      await desk.find("[role=dialog]");
    },
  ],
  [
    "end",
    async (desk) => {
      await rentals(desk, "train-a");
      await desk.press("e");
      await desk.find("[role=dialog] .list h3");
    },
  ],
  [
    "receipt",
    async (desk) => {
      await desk.press("2");
      await desk.click(() => document.querySelector("header input[type=checkbox]"), "all machines");
      await row(desk, "old-a");
      await desk.click(() => document.querySelector(".details > .wide"), "Receipt");
      await desk.find("[role=dialog]");
    },
  ],
  [
    "lease",
    async (desk) => {
      await rentals(desk, "train-a");
      await desk.press("l");
      await desk.find("[role=dialog] form");
    },
  ],
  [
    "spend-list",
    async (desk) => {
      await desk.press("3");
      await desk.find(".spend-chart");
      await desk.find("main tfoot");
    },
  ],
  [
    "spend-machines",
    async (desk) => {
      await desk.press("3");
      await desk.find(".spend-chart");
      await desk.click(() => [...document.querySelectorAll("header [role=radio]")].at(-1), "by machine");
      await desk.until(() => document.querySelector("main tbody .open"), "the machines");
    },
  ],
  [
    "budget-new",
    async (desk) => {
      await desk.press("3");
      await desk.until(() => document.querySelector(".figures:not([aria-busy=true])"), "the figures");
      // Where there is no room the panel with the budgets is folded away.
      if (!(await desk.run(() => document.querySelector("aside.details") !== null)))
        await desk.click(() => document.querySelector("header .icon"), "budgets and waste");
      await desk.find("aside.details .budget-add");
      await desk.click(() => document.querySelector("aside.details .budget-add"), "New budget");
      await desk.find("[role=dialog] form");
    },
  ],
  ["accounts", async (desk) => desk.press(",")],
];
