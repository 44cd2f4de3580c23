import { screen, waitFor, within } from "@testing-library/svelte";
import { expect, it } from "vitest";

import { HostError } from "../lib/host/host";
import { expectAccessible, lastAsked, openDesk } from "./desk";

async function servers() {
  location.hash = "#/settings";
  const desk = await openDesk({ rows: 20 });
  return { ...desk, section: await screen.findByRole("region", { name: "Own servers" }) };
}

it("shows how servers fare, what is free of them, and why one is out of the market", async () => {
  const { section, container } = await servers();
  expect(await within(section).findByText(/^8× H100 SXM · NVLink · driver 570.124.06/)).toBeInTheDocument();
  expect(within(section).getByText(/6 of 8 free · booked 50 % of the time/)).toBeInTheDocument();
  expect(within(section).getByText("train-a: 2 of it booked")).toBeInTheDocument();
  expect(within(section).getByText("driver was updated: reboot it")).toBeInTheDocument();
  expect(within(section).getByText(/^Out of the market: the NVIDIA driver was updated/)).toBeInTheDocument();
  expect(within(section).getByText(/an hour's cost is not known/)).toBeInTheDocument();
  expect(within(section).getByText(/^3× 1g.10gb: 14.3 % of a card's compute/)).toBeInTheDocument();
  await expectAccessible(container);
});

it("takes in a server by its name in the SSH configuration", async () => {
  const { host, user, section } = await servers();
  await user.click(await within(section).findByRole("button", { name: "Add a server…" }));
  const sheet = await screen.findByRole("dialog", { name: "New server" });
  const alias = within(sheet).getByRole("combobox", { name: "Name in your SSH configuration" });
  await user.type(alias, "old-box");
  await user.type(within(sheet).getByRole("textbox", { name: "Bought for" }), "30000");
  await user.type(within(sheet).getByRole("textbox", { name: "Running costs a month" }), "266");
  await user.type(within(sheet).getByRole("textbox", { name: "Country (two letters)" }), "de");
  await expectAccessible(sheet);
  await user.click(within(sheet).getByRole("button", { name: "Save and read" }));
  await waitFor(() =>
    expect(lastAsked(host, "host_add")).toMatchObject({
      alias: "old-box",
      price: "30000",
      running: "266",
      resale: "",
      country: "de",
    }),
  );
  expect(await within(section).findByText("old-box", { selector: "b" })).toBeInTheDocument();
});

it("asks before a server is forgotten, and says why one is kept", async () => {
  const { host, user, section } = await servers();
  host.answer("host_remove", () => {
    const api = {
      code: "refused",
      what: "server `rack4`",
      detail: "it is booked: train-a",
      hint: null,
      line: null,
    };
    throw new HostError(api);
  });
  await user.click(await within(section).findByRole("button", { name: /^Remove… rack4/ }));
  const sheet = await screen.findByRole("dialog", { name: "Remove rack4?" });
  expect(lastAsked(host, "host_remove")).toBeUndefined();
  await user.click(within(sheet).getByRole("button", { name: "Remove the server" }));
  expect(await screen.findByText(/it is booked: train-a/)).toBeInTheDocument();
});
