import { screen, waitFor, within } from "@testing-library/svelte";
import { expect, it } from "vitest";

import { HostError } from "../lib/host/host";
import type { MockHost } from "../lib/host/mock/mock";
import { mockAccount, mockAccounts, mockProvider, mockRental } from "../lib/host/mock/rentals";
import { expectAccessible, lastAsked, openDesk, openMarket } from "./desk";

function rentEverywhere(host: MockHost) {
  const every = ["vast", "runpod", "lambda", "aws", "verda", "nebius", "hyperstack", "scaleway"];
  host.accounts = every.map((provider) => mockAccount(provider));
  const providers = every.map((provider) => mockProvider(provider, provider));
  host.answer("accounts_list", () => ({ ...mockAccounts(host.accounts), providers }));
}

it("filters by a policy and says what it hides and why", async () => {
  const { user, container } = await openMarket();
  const facets = screen.getByRole("complementary", { name: "Filters" });
  await user.click(await within(facets).findByRole("checkbox", { name: /^GDPR/ }));
  expect(await screen.findByRole("button", { name: "Remove policy : gdpr" })).toBeInTheDocument();
  expect(await within(facets).findByText(/^Hides \d+ offers$/)).toBeInTheDocument();
  expect(within(facets).getByText("place elsewhere")).toBeInTheDocument();
  await expectAccessible(container);
  await user.click(within(facets).getByRole("button", { name: "Clear Policy" }));
  await waitFor(() => expect(within(facets).queryByText("place elsewhere")).not.toBeInTheDocument());
});

it("asks for a reason in writing before a launch that the project's policy forbids", async () => {
  const { host, user } = await openMarket({
    prepare: (given) => {
      rentEverywhere(given);
      given.policies = { ...given.policies, projects: [{ project: "clients", policy: "152-fz" }] };
    },
  });
  await user.keyboard("r");
  const sheet = await screen.findByRole("dialog", { name: "Rent" });
  const rent = await within(sheet).findByRole("button", { name: /^Rent for/ });
  expect(rent).toBeEnabled();
  await user.type(within(sheet).getByRole("combobox", { name: "Project" }), "clients");
  await user.tab();
  expect(await within(sheet).findByText("forbidden")).toBeInTheDocument();
  expect(within(sheet).getByText(/May stand in: Russia/)).toBeInTheDocument();
  await waitFor(() => expect(rent).toBeDisabled());
  await expectAccessible(sheet);
  const reason = within(sheet).getByRole("textbox", { name: "Why it may be rented all the same" });
  await user.type(reason, "synthetic data");
  await user.click(rent);
  await waitFor(() => expect(lastAsked(host, "launch")).toMatchObject({ override_policy: "synthetic data" }));
});

it("shows the policy's word when the desk refuses what the sheet did not know", async () => {
  const { host, user } = await openMarket({ prepare: rentEverywhere });
  await user.keyboard("r");
  const sheet = await screen.findByRole("dialog", { name: "Rent" });
  const rent = await within(sheet).findByRole("button", { name: /^Rent for/ });
  host.policies = { ...host.policies, projects: [{ project: "", policy: "152-fz" }] };
  host.answer("launch", () => {
    const api = { code: "policy-blocked", what: "policy", detail: "it stands in US", hint: null, line: null };
    throw new HostError(api);
  });
  await user.click(rent);
  expect(await within(sheet).findByText("forbidden")).toBeInTheDocument();
  expect(within(sheet).getByText(/The project's policy forbids it/)).toBeInTheDocument();
});

it("keeps a policy of one's own and puts projects under policies", async () => {
  location.hash = "#/settings";
  const { host, user, container } = await openDesk({ rows: 20 });
  const section = await screen.findByRole("region", { name: "Residency policies" });
  expect(await within(section).findByText(/^Place: EEA · Seller: EEA, countries with/)).toBeInTheDocument();
  await user.click(within(section).getByRole("button", { name: "Add a policy…" }));
  const sheet = await screen.findByRole("dialog", { name: "New policy" });
  await user.type(within(sheet).getByRole("textbox", { name: "What it is called" }), "Only Germany");
  const place = within(sheet).getByRole("textbox", { name: "Machines may stand in" });
  await user.clear(place);
  await user.type(place, "de, Switzerland");
  await user.click(within(sheet).getByRole("checkbox", { name: "ISO 27001" }));
  await expectAccessible(sheet);
  await user.click(within(sheet).getByRole("button", { name: "Save" }));
  await waitFor(() =>
    expect(lastAsked(host, "policy_set")).toEqual({
      name: "only-germany",
      title: "Only Germany",
      place: ["de", "Switzerland"],
      seller: [],
      certificates: ["iso-27001"],
      isolation: [],
      on_breach: "block",
    }),
  );
  const llama = await within(section).findByRole("combobox", { name: "Policy of llama" });
  await user.selectOptions(llama, "Only Germany");
  expect(lastAsked(host, "project_policy_set")).toEqual({ project: "llama", policy: "only-germany" });
  await user.type(within(section).getByRole("textbox", { name: "Name of a project" }), "clients{Enter}");
  await user.selectOptions(within(section).getByRole("combobox", { name: "Policy of clients" }), "gdpr");
  expect(lastAsked(host, "project_policy_set")).toEqual({ project: "clients", policy: "gdpr" });
  await expectAccessible(container);
});

it("tells of a machine that stands elsewhere than its policy allows", async () => {
  location.hash = "#/rentals";
  const reason = {
    code: "place-elsewhere",
    text: "It stands in GB, and must in EEA.",
    weight: "block",
    figures: { country: "GB", wanted: "EEA" },
  };
  const policy = {
    policy: "gdpr",
    title: "GDPR",
    verdict: "blocked",
    reasons: [reason],
    overridden: null,
  };
  const notices = [{ ...reason, code: "policy-place-elsewhere", weight: "bad" }];
  const { host } = await openDesk({
    rows: 20,
    prepare: (given) => (given.rentals = [mockRental({ name: "moved", policy, notices })]),
  });
  const details = await screen.findByRole("complementary", { name: "Details" });
  expect(
    await within(details).findByText("Breaks its policy: Stands in United Kingdom. May stand in: EEA."),
  ).toBeInTheDocument();
  expect(await within(details).findByText("Personal data under the GDPR")).toBeInTheDocument();
  host.tell({
    kind: "told",
    rental: "01jd-moved",
    name: "moved",
    what: "policy-broken",
    text: "breaks",
    system: true,
  });
  expect(await screen.findByText("moved breaks the policy of its project")).toBeInTheDocument();
});
