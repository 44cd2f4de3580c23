import { screen, waitFor, within } from "@testing-library/svelte";
import { expect, it } from "vitest";

import { HostError } from "../lib/host/host";
import { offerOfLink } from "../shell/link";
import { expectAccessible, lastAsked, openDesk, openMarket } from "./desk";

it("goes to each view by its key, and back to the market", async () => {
  const { user } = await openMarket();
  for (const [key, name] of [
    ["2", "Rentals"],
    ["3", "Spend"],
    ["4", "Plan"],
  ] as const) {
    await user.keyboard(key);
    expect(await screen.findByRole("main", { name })).toBeInTheDocument();
  }
  await user.keyboard("1");
  expect(await screen.findByRole("grid", { name: "Offers" })).toBeInTheDocument();
});

it("opens three doors on the first run, and remembers", async () => {
  const { host, user } = await openDesk({ settings: { welcomed: false } });
  const dialog = await screen.findByRole("dialog", { name: "Welcome to GPU Desk" });
  await expectAccessible(dialog);
  await user.click(within(dialog).getByRole("button", { name: /Just look/ }));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  await waitFor(() => expect(lastAsked(host, "settings_set")).toMatchObject({ welcomed: true }));
});

it("switches the language without a reload, and saves it", async () => {
  const { host, user } = await openMarket();
  await user.keyboard(",");
  await user.click(await screen.findByRole("radio", { name: "Русский" }));
  expect(await screen.findByRole("heading", { name: "Настройки" })).toBeInTheDocument();
  expect(document.documentElement.lang).toBe("ru");
  await user.keyboard("1");
  expect(await screen.findByRole("columnheader", { name: "Предложение" })).toBeInTheDocument();
  await waitFor(() => expect(lastAsked(host, "settings_set")).toMatchObject({ language: "ru" }));
});

it("has settings that a screen reader can use", async () => {
  const { user, container } = await openMarket();
  await user.keyboard(",");
  expect(await screen.findByText("/home/someone/.local/share/gpudesk")).toBeInTheDocument();
  expect(await screen.findByText("Impossible price")).toBeInTheDocument();
  await expectAccessible(container);
});

it("keeps the theme and the density where the whole page sees them", async () => {
  const { user } = await openMarket();
  await user.keyboard(",");
  await user.click(await screen.findByRole("radio", { name: "dark" }));
  expect(document.documentElement.dataset.theme).toBe("dark");
  await user.click(screen.getByRole("radio", { name: "compact rows" }));
  expect(document.documentElement.dataset.density).toBe("compact");
});

it("finds views, actions, cards and offers in the palette", async () => {
  const { host, user } = await openMarket();
  await user.keyboard("{Control>}k{/Control}");
  const dialog = await screen.findByRole("dialog", { name: "Commands" });
  await expectAccessible(dialog);
  await user.keyboard("h200");
  const card = await within(dialog).findByRole("option", { name: "H200 SXM" });
  expect(card).toHaveAttribute("aria-selected", "true");
  expect((await within(dialog).findAllByRole("option", { name: /× H200 SXM/ })).length).toBeGreaterThan(0);
  await user.keyboard("{Enter}");
  await waitFor(() =>
    expect(lastAsked(host, "market_page")).toMatchObject({ view: { line: "gpu:H200_SXM" } }),
  );
});

it("lists the keys", async () => {
  const { user } = await openMarket();
  await user.keyboard("?");
  const dialog = await screen.findByRole("dialog", { name: "Keys" });
  expect(within(dialog).getByText("Add to compare")).toBeInTheDocument();
});

it("explains a term in three depths", async () => {
  const { user } = await openMarket();
  await user.click(screen.getAllByRole("button", { name: "Residency" })[0] as HTMLElement);
  const sheet = await screen.findByRole("dialog", { name: "Residency, EEA" });
  for (const depth of ["In plain words", "For business", "For engineers"]) {
    expect(within(sheet).getByText(depth)).toBeInTheDocument();
  }
});

it("shows an error of the desk with its next step, where rows would be", async () => {
  await openDesk({
    prepare: (host) =>
      host.answer("market_groups", () => {
        throw new HostError({
          code: "database",
          what: "open desk.db",
          detail: "written by a newer version",
          hint: "Update GPU Desk.",
          line: null,
        });
      }),
  });
  expect(await screen.findByText("The database could not be used")).toBeInTheDocument();
  expect(screen.getByText("Next step: Update GPU Desk.")).toBeInTheDocument();
});

it("starts in the view of the last run", async () => {
  const { host } = await openMarket({
    settings: {
      last_view: {
        line: "h100",
        sort: "age",
        descending: true,
        job: null,
        currency: "USD",
        include_unknown: true,
        include_quarantine: false,
      },
    },
  });
  const first = host.asked.find(({ command }) => command === "market_page");
  expect(first?.request).toMatchObject({
    view: { line: "h100", sort: "age", descending: true, include_unknown: true },
  });
  expect(await screen.findByRole("button", { name: "Remove H100" })).toBeInTheDocument();
});

it("reads links to offers and nothing else", () => {
  expect(offerOfLink("gpudesk://offer/vast%3A20817x2-on-demand")).toBe("vast:20817x2-on-demand");
  expect(offerOfLink("gpudesk://rental/1")).toBeNull();
  expect(offerOfLink("https://example.com/offer/1")).toBeNull();
  expect(offerOfLink("gpudesk://offer/%E0%A4%A")).toBeNull();
});
