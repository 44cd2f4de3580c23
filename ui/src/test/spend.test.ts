import { screen, waitFor, within } from "@testing-library/svelte";
import { expect, it } from "vitest";

import type { SpendRequest } from "../lib/host/bindings";
import { HostError } from "../lib/host/host";
import { mockNothing, mockSpend } from "../lib/host/mock/spend";
import { added } from "../lib/spend/chart";
import { expectAccessible, lastAsked, openDesk } from "./desk";

async function openSpend(options: Parameters<typeof openDesk>[0] = {}, name = "Spend") {
  location.hash = "#/spend";
  const desk = await openDesk({ rows: 20, ...options });
  await screen.findByRole("main", { name });
  return desk;
}

/** The amount in a cell, as the desk writes it. */
function cents(text: string | null): string {
  return (text ?? "").replace(/[^\d.]/g, "");
}

const table = () => screen.findAllByRole("table").then((all) => all.at(-1) as HTMLElement);

it("shows four figures, and lines that sum to the total that is shown", async () => {
  const { container } = await openSpend();
  expect(await screen.findByText("$21.73 / h")).toBeInTheDocument();
  expect(screen.getByText("burning now, 5 machines + 1 not ours")).toBeInTheDocument();
  expect(await screen.findByText("month to date, of $3 400 budget")).toBeInTheDocument();
  expect(screen.getByText(/forecast may pass the budget on 27/)).toBeInTheDocument();
  expect(screen.getByText("waste so far, 41 %")).toBeInTheDocument();
  const shown = within(await table());
  const lines = mockSpend({ by: "provider", from: null, to: null, currency: "USD" }).rows;
  const sums = lines.map((line) => {
    const cells = within(shown.getByRole("row", { name: new RegExp(line.title) })).getAllByRole("cell");
    return cents((cells[4]?.textContent ?? "").split("–")[0] ?? "");
  });
  const total = within(shown.getAllByRole("row").at(-1) as HTMLElement).getAllByRole("cell")[0];
  expect(Number(cents(total?.textContent ?? "")).toFixed(2)).toBe(Number(added(sums)).toFixed(2));
  await expectAccessible(container);
});

it("marks lines of which a rate is not known, and says what could not be converted", async () => {
  await openSpend();
  const row = within(await table()).getByRole("row", { name: /RunPod/ });
  expect(within(row).getByText("at least")).toBeInTheDocument();
  expect(within(row).getByText("≥ $63.50")).toBeInTheDocument();
  expect(within(row).getByText("Nobody states what traffic costs.")).toBeInTheDocument();
  expect(within(row).getByText("Nothing was measured.")).toBeInTheDocument();
  expect(screen.getByText(/for want of an exchange rate: ¥120.00/)).toBeInTheDocument();
});

it("names the rate that stands for days before any other is known", async () => {
  await openSpend({
    prepare: (host) =>
      host.answer("spend_page", (request) => ({
        ...mockSpend(request),
        fx: { source: "CBR", date: "2026-11-27" },
        fx_later: [{ currency: "RUB", source: "CBR", date: "2026-11-10" }],
      })),
  });
  expect(await screen.findByText(/^Before 2026-11-10 no rate of RUB is known/)).toBeInTheDocument();
  expect(screen.getByText(/Each day is converted at its own rate\./)).toBeInTheDocument();
});

it("tells why a bill differs", async () => {
  const { user } = await openSpend();
  const row = within(await table()).getByRole("row", { name: /Vast.ai/ });
  await user.click(within(row).getByRole("button", { name: /traffic/ }));
  const sheet = await screen.findByRole("dialog", { name: "Bill of Vast.ai" });
  expect(within(sheet).getByText("+$4.10")).toBeInTheDocument();
  expect(within(sheet).getByText("−$0.35")).toBeInTheDocument();
  expect(within(sheet).getByText("unexplained")).toBeInTheDocument();
});

it("reads each day of the chart by the arrow keys", async () => {
  const { user } = await openSpend({
    prepare: (host) =>
      // Whatever day it is, one is still to come.
      host.answer("spend_page", (request) => {
        const page = mockSpend(request);
        const last = page.days.at(-1);
        if (last) last.to_come = [{ key: "verda", amount: "4.5" }];
        return page;
      }),
  });
  const chart = await screen.findByRole("slider", { name: /Spending by day/ });
  chart.focus();
  await user.keyboard("{Home}");
  expect(chart).toHaveAttribute("aria-valuetext", expect.stringMatching(/^1\s\w+: \$[\d.\s]+\. Verda \$/));
  await user.keyboard("{ArrowRight}");
  expect(chart).toHaveAttribute("aria-valuenow", "1");
  await user.keyboard("{End}");
  expect(chart).toHaveAttribute("aria-valuetext", expect.stringContaining("to come: Verda $4.50"));
});

it("goes by keys from period to period and from sum to sum", async () => {
  const { host, user } = await openSpend();
  await table();
  await user.keyboard("[[");
  await waitFor(() =>
    expect((lastAsked(host, "spend_page") as SpendRequest).from).toMatch(/^\d{4}-\d\d-01$/),
  );
  await user.keyboard("g");
  await waitFor(() => expect(lastAsked(host, "spend_page")).toMatchObject({ by: "project", to: null }));
  expect((await screen.findAllByText("no project")).length).toBeGreaterThan(0);
  expect(screen.getByText("The period is over: there is nothing to forecast.")).toBeInTheDocument();
});

it("asks for days that exist, in their order", async () => {
  const { host, user } = await openSpend();
  await user.click(await screen.findByRole("button", { name: /^Period:/ }));
  await user.click(await screen.findByRole("menuitemradio", { name: /From–to/ }));
  const dialog = await screen.findByRole("dialog", { name: "From day to day" });
  const [from, to] = [within(dialog).getByLabelText("First day"), within(dialog).getByLabelText("Last day")];
  await user.clear(from);
  await user.type(from, "2026-09-10");
  await user.clear(to);
  await user.type(to, "2026-09-03");
  expect(within(dialog).getByRole("button", { name: "Show" })).toBeDisabled();
  await user.clear(to);
  await user.type(to, "2026-09-20");
  await user.click(within(dialog).getByRole("button", { name: "Show" }));
  await waitFor(() =>
    expect(lastAsked(host, "spend_page")).toMatchObject({ from: "2026-09-10", to: "2026-09-20" }),
  );
});

it("says what to do where nothing was spent", async () => {
  const { user, container } = await openSpend({
    prepare: (host) => {
      host.budgets = [];
      host.answer("spend_page", mockNothing);
    },
  });
  expect(await screen.findByRole("heading", { name: /^Nothing was spent: / })).toBeInTheDocument();
  expect(screen.getByText(/With one you are told before the money is gone/)).toBeInTheDocument();
  await expectAccessible(container);
  await user.click(screen.getByRole("button", { name: "To the market" }));
  expect(location.hash).toBe("#/market");
});

it("tells an error where the figures would be, and asks again", async () => {
  let fails = true;
  const { user } = await openSpend({
    prepare: (host) =>
      host.answer("spend_page", (request) => {
        if (!fails) return mockSpend(request);
        throw new HostError({ code: "database", what: "spend", detail: "damaged", hint: null, line: null });
      }),
  });
  expect(await screen.findByText("The database could not be used")).toBeInTheDocument();
  fails = false;
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("$21.73 / h")).toBeInTheDocument();
});

it("speaks Russian", async () => {
  const { container } = await openSpend({ settings: { language: "ru" } }, "Расходы");
  expect(await screen.findByText("расход сейчас: 5 машин + 1 не наша")).toBeInTheDocument();
  expect(screen.getByRole("columnheader", { name: "Счёт облака" })).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Новый бюджет…" })).toBeInTheDocument();
  await expectAccessible(container);
});

it("has one remedy for each waste, and each asks or shows before anything is done", async () => {
  const { host, user } = await openSpend();
  await user.click(await screen.findByRole("button", { name: "Stop… train-llama" }));
  let dialog = await screen.findByRole("dialog", { name: "Stop train-llama?" });
  await user.click(within(dialog).getByRole("button", { name: "Leave it" }));
  await user.click(screen.getByRole("button", { name: "Set a lease… notebook-an" }));
  dialog = await screen.findByRole("dialog", { name: "Lease of notebook-an" });
  await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
  await user.click(screen.getByRole("button", { name: "End… scratch" }));
  dialog = await screen.findByRole("dialog", { name: "End scratch?" });
  await user.click(within(dialog).getByRole("button", { name: "Leave it" }));
  await user.click(screen.getByRole("button", { name: "See, adopt or end… ubuntu-gpu-2" }));
  const details = await screen.findByRole("complementary", { name: "Details" });
  expect(within(details).getByRole("heading", { name: "ubuntu-gpu-2" })).toBeInTheDocument();
  for (const command of ["rental_stop", "rental_end", "unmanaged_act"])
    expect(lastAsked(host, command)).toBeUndefined();
});

it("writes a report and tells where it is", async () => {
  const { host, user } = await openSpend();
  await user.click(await screen.findByRole("button", { name: "Report…" }));
  await user.click(await screen.findByRole("menuitem", { name: "CSV file" }));
  expect(await screen.findByText("/home/someone/gpudesk-spend-2026-11.csv")).toBeInTheDocument();
  expect(lastAsked(host, "spend_report")).toMatchObject({
    form: "csv",
    open: true,
    spend: { by: "provider" },
  });
});

it("sets a budget, with what is known to choose from, and takes a removal back", async () => {
  const { host, user } = await openSpend();
  await user.click(await screen.findByRole("button", { name: "New budget…" }));
  const dialog = await screen.findByRole("dialog", { name: "New budget" });
  await expectAccessible(dialog);
  await user.click(within(dialog).getByRole("radio", { name: "a project" }));
  await waitFor(() => expect(dialog.querySelector('datalist option[value="llama"]')).not.toBeNull());
  await user.type(within(dialog).getByLabelText("Project"), "Llama 4");
  expect(within(dialog).getByLabelText("Name")).toHaveValue("llama-4");
  const save = within(dialog).getByRole("button", { name: "Save" });
  expect(save).toBeDisabled();
  await user.type(within(dialog).getByLabelText("Amount"), "1 200,50");
  await user.click(within(dialog).getByRole("radio", { name: "end machines" }));
  expect(within(dialog).getByText(/its machines have ten minutes left/)).toBeInTheDocument();
  await user.click(save);
  await waitFor(() =>
    expect(lastAsked(host, "budget_set")).toEqual({
      name: "llama-4",
      scope: "project",
      of: "Llama 4",
      period: "month",
      amount: "1200.50",
      currency: "USD",
      thresholds: [50, 80, 100],
      hard: "end",
    }),
  );
  await user.click(await screen.findByRole("button", { name: "Change budget llama-4" }));
  await user.click(await screen.findByRole("button", { name: "Remove" }));
  await waitFor(() => expect(lastAsked(host, "budget_remove")).toEqual({ name: "llama-4" }));
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  expect(await screen.findByRole("button", { name: "Change budget llama-4" })).toBeInTheDocument();
});

it("shows how budgets stand, and what the desk says against a new one", async () => {
  const { user } = await openSpend({
    prepare: (host) =>
      host.answer("budget_set", () => {
        throw new HostError({
          code: "request-invalid",
          what: "the budget",
          detail: "100 percent is missing",
          hint: null,
          line: null,
        });
      }),
  });
  const team = await screen.findByRole("meter", { name: "team" });
  expect(team).toHaveAttribute("aria-valuetext", expect.stringMatching(/^team: 88\s% spent$/));
  expect(screen.getByText("used up")).toBeInTheDocument();
  expect(screen.getByText("There is no exchange rate into CNY.")).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Change budget team" }));
  const dialog = await screen.findByRole("dialog", { name: "Budget team" });
  await user.click(within(dialog).getByRole("button", { name: "Save" }));
  expect(await within(dialog).findByText("100 percent is missing")).toBeInTheDocument();
});
