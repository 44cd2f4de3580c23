import { screen, waitFor, within } from "@testing-library/svelte";
import { expect, it } from "vitest";

import type { LaunchRequest, Settings } from "../lib/host/bindings";
import { mockAccount, mockAccounts, mockProvider } from "../lib/host/mock/rentals";
import { expectAccessible, lastAsked, openDesk, openMarket } from "./desk";

const every = ["vast", "runpod", "lambda", "aws", "verda", "nebius", "hyperstack", "scaleway"];

it("rents with the lease that the settings name, and with another one where it is chosen", async () => {
  const { host, user } = await openMarket({
    settings: { lease: { hours: 2.5, idle_minutes: 45, on_expiry: null, part_s: 60 } },
    prepare: (given) => {
      given.accounts = every.map((provider) => mockAccount(provider));
      const providers = every.map((provider) => mockProvider(provider, provider));
      given.answer("accounts_list", () => ({ ...mockAccounts(given.accounts), providers }));
    },
  });
  await user.keyboard("r");
  const sheet = await screen.findByRole("dialog", { name: "Rent" });
  const rent = await within(sheet).findByRole("button", { name: /^Rent for/ });
  expect(lastAsked(host, "launch_sheet")).toMatchObject({ hours: 2.5 });
  expect(within(sheet).getByLabelText("Lease, hours")).toHaveValue(2.5);
  const idle = within(sheet).getByLabelText("Idle at most, minutes");
  expect(idle).toHaveValue(45);
  expect(within(sheet).getByLabelText("When it is over")).toHaveValue("stop");
  await user.clear(idle);
  await user.selectOptions(within(sheet).getByLabelText("When it is over"), "end");
  await user.click(rent);
  await waitFor(() => expect(location.hash).toBe("#/rentals"));
  const asked = lastAsked(host, "launch") as LaunchRequest;
  expect(asked).toMatchObject({ hours: 2.5, idle_minutes: null, on_expiry: "end" });
});

it("changes the usual lease, and takes no figure that cannot be", async () => {
  const { host, user } = await openDesk();
  await user.keyboard(",");
  const section = await screen.findByRole("region", { name: "Lease of a new machine" });
  await expectAccessible(section);
  const type = async (name: string, text: string) => {
    const field = within(section).getByLabelText(name);
    await user.clear(field);
    await user.type(field, text);
    await user.tab();
    return field;
  };
  await type("Lease, hours", "1,5");
  await type("Idle at most, minutes", "30");
  await type("Time to end work, seconds", "120");
  await user.selectOptions(within(section).getByLabelText("When it is over"), "notify");
  const lease = { hours: 1.5, idle_minutes: 30, on_expiry: "notify", part_s: 120 };
  await waitFor(() => expect(lastAsked(host, "settings_set")).toMatchObject({ lease }));
  expect(await type("Lease, hours", "9000")).toHaveValue("1.5");
  expect(await type("Time to end work, seconds", "601")).toHaveValue("120");
  expect(await type("Idle at most, minutes", "soon")).toHaveValue("30");
  await user.selectOptions(within(section).getByLabelText("When it is over"), "");
  await type("Idle at most, minutes", " ");
  const last = { ...lease, idle_minutes: null, on_expiry: null };
  await waitFor(() => expect((lastAsked(host, "settings_set") as Settings).lease).toEqual(last));
});
