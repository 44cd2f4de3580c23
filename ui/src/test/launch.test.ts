import { screen, waitFor, within } from "@testing-library/svelte";
import { tick } from "svelte";
import { expect, it } from "vitest";

import { moment } from "../lib/format/time";
import type { LaunchRequest } from "../lib/host/bindings";
import type { MockHost } from "../lib/host/mock/mock";
import { mockAccount, mockAccounts, mockProvider } from "../lib/host/mock/rentals";
import { mockBudget } from "../lib/host/mock/spend";
import { expectAccessible, lastAsked, openMarket } from "./desk";

const secret = "sk-typed-once";

/** Every cloud of the made-up market can be rented at, so that the first row can. */
function rentEverywhere(host: MockHost) {
  const every = ["vast", "runpod", "lambda", "aws", "verda", "nebius", "hyperstack", "scaleway"];
  host.accounts = every.map((provider) => mockAccount(provider));
  const providers = every.map((provider) => mockProvider(provider, provider));
  host.answer("accounts_list", () => ({ ...mockAccounts(host.accounts), providers }));
}

it("rents by keyboard at the price on the button, and goes to the machine", async () => {
  const { host, user } = await openMarket({ prepare: rentEverywhere });
  await user.keyboard("r");
  const sheet = await screen.findByRole("dialog", { name: "Rent" });
  const rent = await within(sheet).findByRole("button", { name: /^Rent for/ });
  expect(within(sheet).getByText("While stopped", { exact: false })).toBeInTheDocument();
  await expectAccessible(sheet);
  await user.type(within(sheet).getByRole("textbox", { name: "Name" }), "first");
  await user.click(rent);
  await waitFor(() => expect(location.hash).toBe("#/rentals"));
  const asked = lastAsked(host, "launch") as LaunchRequest;
  expect(asked).toMatchObject({ name: "first", hours: 8, on_expiry: "stop" });
  expect(asked.max_price).not.toBeNull();
  expect(await screen.findByRole("row", { name: /first/ })).toBeInTheDocument();
});

it("says what a launch does to budgets, and refuses what a hard one does not bear", async () => {
  const { host, user } = await openMarket({
    prepare: (given) => {
      rentEverywhere(given);
      given.budgets = [
        mockBudget({ amount: "100" }, { spent: "20" }),
        mockBudget({ name: "llama", scope: "project", of: "llama", hard: "block" }, { spent: "3399.99" }),
      ];
    },
  });
  await user.keyboard("r");
  const sheet = await screen.findByRole("dialog", { name: "Rent" });
  expect(await within(sheet).findByText(/^\$20.00 → \$\d\S* of \$100$/)).toBeInTheDocument();
  const rent = within(sheet).getByRole("button", { name: /^Rent for/ });
  expect(rent).toBeEnabled();
  await user.type(within(sheet).getByLabelText("Project"), "llama");
  await user.tab();
  expect(await within(sheet).findByText(/^Budget llama refuses launches that pass it/)).toBeInTheDocument();
  expect(lastAsked(host, "budget_effect")).toMatchObject({ project: "llama", hours: 8 });
  expect(rent).toBeDisabled();
  await expectAccessible(sheet);
});

it("tells when the offer ends, and orders no lease beyond that", async () => {
  const hours = 3;
  const endsAt = new Date(Date.now() + hours * 3_600_000).toISOString();
  const { host, user } = await openMarket({
    prepare: (given) => {
      rentEverywhere(given);
      given.answer("offer_end", () => ({ ends_at: endsAt }));
    },
  });
  await user.keyboard("r");
  const sheet = await screen.findByRole("dialog", { name: "Rent" });
  const told = `This offer ends on ${moment(endsAt)}.`;
  expect(await within(sheet).findByText(told, { exact: false })).toBeInTheDocument();
  await expectAccessible(sheet);
  const field = within(sheet).getByLabelText("Lease, hours");
  expect(field).toHaveValue(8);
  const rent = within(sheet).getByRole("button", { name: /^Rent for/ });
  await user.click(rent);
  expect(field).toBeInvalid();
  expect(lastAsked(host, "launch")).toBeUndefined();
  await user.clear(field);
  await user.type(field, "2.5");
  await user.click(rent);
  await waitFor(() => expect(lastAsked(host, "launch")).toMatchObject({ hours: 2.5 }));
});

it("asks when the price rose, and pays the higher one only after that", async () => {
  const { host, user } = await openMarket({
    prepare: (given) => {
      rentEverywhere(given);
      given.answer("launch", () => ({
        outcome: "price-rose",
        allowed: "1.10",
        now: "1.40",
        currency: "USD",
      }));
    },
  });
  await user.keyboard("r");
  const sheet = await screen.findByRole("dialog", { name: "Rent" });
  await user.click(await within(sheet).findByRole("button", { name: /^Rent for/ }));
  expect(await within(sheet).findByText(/The price rose from \$1.10 to \$1.40/)).toBeInTheDocument();
  expect(lastAsked(host, "launch")).not.toMatchObject({ max_price: "1.40" });
  await user.click(within(sheet).getByRole("button", { name: "Rent for $1.40 / h now" }));
  await waitFor(() => expect(lastAsked(host, "launch")).toMatchObject({ max_price: "1.40" }));
});

it("shows the nearest offers at once when the offer is gone", async () => {
  const { user } = await openMarket({
    prepare: (host) => {
      rentEverywhere(host);
      host.answer("launch", async () => {
        const page = await host.call("market_page", {
          view: {
            line: "",
            sort: "gpu-hour",
            descending: false,
            job: null,
            currency: "USD",
            include_unknown: false,
            include_quarantine: false,
          },
          offset: 5,
          limit: 2,
          facets: false,
        });
        return { outcome: "gone", words: "no_such_ask", nearest: page.rows.map((row) => row.offer) };
      });
    },
  });
  await user.keyboard("r");
  const sheet = await screen.findByRole("dialog", { name: "Rent" });
  await user.click(await within(sheet).findByRole("button", { name: /^Rent for/ }));
  expect(await within(sheet).findByText("This offer is gone. Nothing was ordered.")).toBeInTheDocument();
  expect(within(sheet).getAllByRole("button", { name: "Take this…" })).toHaveLength(2);
});

it("adds an account in Settings and keeps no key in the page", async () => {
  const { host, user, container } = await openMarket({ prepare: (given) => (given.accounts = []) });
  await user.keyboard(",");
  await user.click(await screen.findByRole("button", { name: "Add an account…" }));
  const field = screen.getByLabelText("Key of Vast.ai");
  expect(field).toHaveAttribute("type", "password");
  expect(field).toHaveAttribute("autocomplete", "off");
  await user.type(field, secret);
  await expectAccessible(container);
  let sent: string | undefined;
  host.answer("account_add", async ({ key, provider }) => {
    sent = key;
    await tick();
    // While it is being checked the page has forgotten it already.
    expect(field).toHaveValue("");
    host.accounts = [mockAccount(provider)];
    return mockAccounts(host.accounts);
  });
  await user.click(screen.getByRole("button", { name: "Add and check" }));
  expect(await screen.findByText(/balance \$42.17/)).toBeInTheDocument();
  expect(sent).toBe(secret);
  expect(document.documentElement.outerHTML).not.toContain(secret);
});

it("asks for each part of a key that has several, and sends them as one", async () => {
  const { host, user, container } = await openMarket({ prepare: (given) => (given.accounts = []) });
  await user.keyboard(",");
  await user.click(await screen.findByRole("button", { name: "Add a key Verda" }));
  const hidden = screen.getByLabelText("Client secret");
  expect(hidden).toHaveAttribute("type", "password");
  expect(screen.getByLabelText("Client ID")).toHaveAttribute("type", "text");
  await expectAccessible(container);
  await user.type(screen.getByLabelText("Client ID"), "a1");
  expect(screen.getByRole("button", { name: "Add and check" })).toBeDisabled();
  await user.type(hidden, secret);
  let sent: string | undefined;
  host.answer("account_add", ({ key, provider }) => {
    sent = key;
    host.accounts = [mockAccount(provider)];
    return mockAccounts(host.accounts);
  });
  await user.click(screen.getByRole("button", { name: "Add and check" }));
  await waitFor(() => expect(sent).toBe(JSON.stringify({ client_id: "a1", client_secret: secret })));
  expect(document.documentElement.outerHTML).not.toContain(secret);
});

it("says what works, what the key lacks and which page grants it", async () => {
  const { user, container } = await openMarket({
    prepare: (host) => {
      host.accounts = [
        mockAccount("vast", {
          can: ["offers", "watch"],
          missing: [
            {
              name: "instance_write",
              allows: ["rent"],
              needed: true,
              page: "https://cloud.vast.ai/manage-keys/",
            },
          ],
        }),
      ];
    },
  });
  await user.keyboard(",");
  expect(await screen.findByText("Works: offers, machines in sight")).toBeInTheDocument();
  expect(screen.getByText(/The key lacks instance_write/)).toHaveTextContent(
    "https://cloud.vast.ai/manage-keys/",
  );
  expect(screen.getByText("its offers are told only to an account")).toBeInTheDocument();
  expect(
    screen.getAllByText(/402 offers · 442 rows read · 31 not GPUs · 9 in quarantine/)[0],
  ).toBeInTheDocument();
  await expectAccessible(container);
});
