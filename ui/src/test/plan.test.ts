import { screen, waitFor, within } from "@testing-library/svelte";
import { expect, it } from "vitest";

import type { BuyRequest, PlanRequest } from "../lib/host/bindings";
import { HostError } from "../lib/host/host";
import { mockComparison, mockMissing } from "../lib/host/mock/buy";
import { mockMarket } from "../lib/host/mock/market";
import { mockNoPlan, mockSlicedPlan } from "../lib/host/mock/plan";
import { expectAccessible, lastAsked, openDesk } from "./desk";

async function openBuy(options: Parameters<typeof openDesk>[0] = {}, names = ["Plan", "Rent or buy"]) {
  location.hash = "#/plan";
  const desk = await openDesk({ rows: 20, ...options });
  await screen.findByRole("main", { name: names[0] as string });
  await desk.user.click(screen.getByRole("radio", { name: names[1] as string }));
  return desk;
}

const given = (host: Parameters<typeof lastAsked>[0]) => (lastAsked(host, "buy_compare") as BuyRequest).given;

it("opens with its key, and shows the break-even with its band", async () => {
  const { container, user } = await openDesk({ rows: 20 });
  await user.keyboard("4]");
  const answer = await screen.findByRole("region", { name: "Break-even" });
  expect(await within(answer).findByText(/^79\s%$/)).toBeInTheDocument();
  expect(within(answer).getByText(/from 573\sh on owning is cheaper/)).toBeInTheDocument();
  expect(within(answer).getByText(/^44\s% – never$/)).toBeInTheDocument();
  expect(within(answer).getByText("a month of owning 8 cards")).toBeInTheDocument();
  await expectAccessible(container);
});

it("asks with what is typed, range and all, and takes it back", async () => {
  const { host, user } = await openBuy();
  await user.type(await screen.findByLabelText("Price of a card"), "28000");
  await user.click(screen.getByRole("button", { name: "What it may be instead: Price of a card" }));
  await user.type(screen.getByLabelText("At least: Price of a card"), "26000");
  await user.type(screen.getByLabelText("At most: Price of a card"), "31000");
  await user.type(screen.getByLabelText("Cost of capital a year"), "8");
  await waitFor(() =>
    expect(given(host)).toEqual([
      { name: "utilisation", value: "70%" },
      { name: "price", value: "28000:26000..31000" },
      { name: "capital", value: "8%" },
    ]),
  );
  await user.click(await screen.findByRole("button", { name: "Leave to the desk: Price of a card" }));
  await waitFor(() => expect(given(host).map(({ name }) => name)).toEqual(["utilisation", "capital"]));
  expect(screen.getByLabelText("Price of a card")).toHaveValue("");
});

it("chooses the mild curve, or one's own", async () => {
  const { host, user } = await openBuy();
  await user.click(await screen.findByRole("radio", { name: "30 %, 36 mo" }));
  await waitFor(() => expect(given(host)).toContainEqual({ name: "resale", value: "30%@36m" }));
  await user.click(screen.getByRole("radio", { name: "own" }));
  const field = screen.getByLabelText(/^Share left and age/);
  await user.clear(field);
  await user.type(field, "50%@24m");
  await waitFor(() => expect(given(host)).toContainEqual({ name: "resale", value: "50%@24m" }));
});

it("reads the chart step by step, and says what is cheaper at the chosen use", async () => {
  const { user } = await openBuy();
  const chart = await screen.findByRole("slider", { name: /^Cost of an hour that is used/ });
  chart.focus();
  await user.keyboard("{Home}");
  expect(chart).toHaveAttribute(
    "aria-valuetext",
    expect.stringMatching(/0\s% used: .*owning nothing is used/),
  );
  await user.keyboard("{End}");
  expect(chart).toHaveAttribute(
    "aria-valuetext",
    expect.stringMatching(/100\s% used: spot \$1.40.*owning \$1.96/),
  );
  expect(screen.getByText(/costs \$2.80 owned and \$2.50 rented: renting is cheaper/)).toBeInTheDocument();
  const table = screen.getByRole("table", { name: /^Cost of an hour/, hidden: true });
  expect(within(table).getAllByRole("row", { hidden: true })).toHaveLength(12);
});

it("says what is missing instead of guessing it", async () => {
  const { container } = await openBuy({ prepare: (host) => host.answer("buy_compare", mockMissing) });
  expect(
    await screen.findByRole("heading", { name: "Still to be said: Price of a card" }),
  ).toBeInTheDocument();
  expect(screen.getByLabelText("Price of a card")).toHaveAttribute("placeholder", "not known");
  await expectAccessible(container);
});

it("says at its field what cannot be, and keeps the last answer", async () => {
  const { user } = await openBuy({
    prepare: (host) =>
      host.answer("buy_compare", (request) => {
        if (request.given.some(({ value }) => value === "much"))
          throw new HostError({
            code: "request-invalid",
            what: "price",
            detail: "`much` is not understood",
            hint: null,
            line: null,
          });
        return mockComparison(request);
      }),
  });
  await screen.findByText(/from 573\sh on owning is cheaper/);
  await user.type(screen.getByLabelText("Price of a card"), "much");
  expect(await screen.findByText("`much` is not understood")).toBeInTheDocument();
  expect(screen.getByLabelText("Price of a card")).toBeInvalid();
  expect(screen.getByText(/from 573\sh on owning is cheaper/)).toBeInTheDocument();
});

it("remembers what was compared", async () => {
  const last = {
    gpu: "L40S",
    count: 4,
    country: null,
    offer: null,
    currency: "USD",
    given: [{ name: "price", value: "7000:6000..8000" }],
  };
  const { host } = await openBuy({ settings: { last_buy: last } });
  await waitFor(() => expect(lastAsked(host, "buy_compare")).toEqual(last));
  expect(screen.getByLabelText("At least: Price of a card")).toHaveValue("6000");
});

it("writes a page to print", async () => {
  const { host, user } = await openBuy();
  await user.click(await screen.findByRole("button", { name: "Report…" }));
  await user.click(await screen.findByRole("menuitem", { name: "Page to print" }));
  expect(await screen.findByText("/home/someone/rent-or-buy.html")).toBeInTheDocument();
  expect(lastAsked(host, "buy_report")).toMatchObject({ form: "html", language: "en", open: true });
});

it("speaks Russian about buying", async () => {
  const { container } = await openBuy({ settings: { language: "ru" } }, ["План", "Аренда или покупка"]);
  expect(await screen.findByText(/от 573\sч владеть дешевле/)).toBeInTheDocument();
  await expectAccessible(container);
});

async function openWork(options: Parameters<typeof openDesk>[0] = {}, name = "Plan") {
  location.hash = "#/plan";
  const desk = await openDesk({ rows: 20, ...options });
  await screen.findByRole("main", { name });
  return desk;
}

const planned = (host: Parameters<typeof lastAsked>[0]) => lastAsked(host, "plan_options") as PlanRequest;

it("says what memory the work needs, part by part, and ranks what does it", async () => {
  const { container } = await openWork();
  const memory = await screen.findByRole("region", { name: "GPU memory it needs" });
  expect(within(memory).getByText(/^41–46\sGiB$/)).toBeInTheDocument();
  expect(within(memory).getByText("70.6e9 parameters × 4.5 bits")).toBeInTheDocument();
  expect(within(memory).getByText("3 × 24 GiB, with NVLink")).toBeInTheDocument();
  expect(within(memory).queryByText("KV cache")).not.toBeInTheDocument();
  const options = screen.getByRole("region", { name: "Options" });
  expect(within(options).getByText("$20.00–30.00")).toBeInTheDocument();
  expect(within(options).getByText(/^Cheapest that does it: needs 46 of 80 GiB/)).toBeInTheDocument();
  expect(within(options).getAllByRole("button", { name: "Rent…" })).toHaveLength(8);
  await expectAccessible(container);
});

it("asks for what the form says", async () => {
  const { host, user } = await openWork();
  await screen.findByRole("region", { name: "Options" });
  await user.selectOptions(screen.getByLabelText("Kind"), "Fine-tuning");
  await user.click(screen.getByRole("radio", { name: "QLoRA" }));
  const model = screen.getByRole("combobox", { name: "Model" });
  await user.clear(model);
  await user.type(model, "70b llama");
  await user.click(await screen.findByRole("option", { name: /Llama 3.1 70B/ }));
  await user.click(screen.getByRole("radio", { name: "tokens" }));
  await user.type(screen.getByLabelText("Tokens in all"), "2B");
  await user.type(screen.getByLabelText(/^Data/), "50");
  await user.type(screen.getByLabelText("Done by"), "2026-12-04");
  await user.click(screen.getByRole("checkbox", { name: "May be interrupted" }));
  await user.type(screen.getByLabelText(/^Checkpoint every/), "20");
  await user.selectOptions(screen.getByLabelText("Policy of the data"), "gdpr");
  await waitFor(() =>
    expect(planned(host)).toMatchObject({
      task: "finetune",
      method: "qlora",
      model: "Llama 3.1 70B",
      tokens: "2B",
      hours: null,
      dataset_gb: 50,
      deadline: "2026-12-04",
      interruptible: true,
      checkpoint_minutes: 20,
      policy: "gdpr",
    }),
  );
});

it("plans by memory alone, and forgets the model meanwhile", async () => {
  const { host, user } = await openWork();
  await user.click(await screen.findByRole("radio", { name: "by memory" }));
  await user.type(screen.getByLabelText(/^GPU memory/), "8");
  await waitFor(() => expect(planned(host)).toMatchObject({ vram_gib: 8, model: null, params: null }));
});

it("goes through the options by keys, opens one, and rents it with the sheet filled", async () => {
  const { host, user } = await openWork();
  const options = await screen.findByRole("region", { name: "Options" });
  await within(options).findAllByRole("button", { name: "Rent…" });
  await user.keyboard("jj");
  expect(within(options).getAllByRole("button", { expanded: false })[1]).toHaveFocus();
  await user.keyboard("{Enter}");
  expect(await within(options).findByText(/^93\s% – 100\s%$/)).toBeInTheDocument();
  await user.keyboard("{Escape}r");
  const dialog = await screen.findByRole("dialog");
  expect(dialog).toBeInTheDocument();
  const asked = lastAsked(host, "launch_sheet") as { hours: number } | undefined;
  if (asked) expect(asked.hours).toBe(14);
});

it("puts a slice of an own card before the whole of it, and books nothing that does not exist", async () => {
  const { container, user } = await openWork({
    prepare: (host) => host.answer("plan_options", (request) => mockSlicedPlan(request, mockMarket(1))),
  });
  const options = await screen.findByRole("region", { name: "Options" });
  const [slice, whole] = (await within(options).findAllByText(/^Your own/)).map((text) => text.textContent);
  const fits =
    "7 such jobs fit on one card as slices 1g.10gb, $1.28 an hour each if all are used. Beside one of them a 4g.40gb still fits.";
  expect(slice).toMatch(
    /^Your own: a slice 1g.10gb of this card is enough, at 14\s% of its cost: needs 8 of 10 GiB\. /,
  );
  expect(slice).toContain(fits);
  expect(whole).toBe(`Your own: needs 8 of 80 GiB. ${fits}`);
  expect(within(options).getByText(/^MIG is off on this card/)).toBeInTheDocument();
  expect(within(options).getAllByRole("button", { name: "Rent…" })).toHaveLength(1);
  await user.keyboard("jr");
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  await user.keyboard("{Enter}");
  expect(within(options).getByText("Fits beside one of it")).toBeInTheDocument();
  await expectAccessible(container);
});

it("changes an assumption and takes it back", async () => {
  const { host, user } = await openWork();
  const least = await screen.findByLabelText("At least: Share of dense TFLOPS in training");
  expect(least).toHaveValue("30");
  await user.clear(least);
  await user.type(least, "40{Tab}");
  await waitFor(() =>
    expect(planned(host).assumptions).toEqual([{ name: "training_utilisation", low: 0.4, high: 0.46 }]),
  );
  await user.click(
    await screen.findByRole("button", { name: "Leave to the desk: Share of dense TFLOPS in training" }),
  );
  await waitFor(() => expect(least).toHaveValue("30"));
});

it("says why not another, by the nearest and by its id", async () => {
  const { host, user } = await openWork();
  const part = await screen.findByRole("region", { name: "Why not another" });
  expect(within(part).getByText("Each card has 24 GiB and needs 46.")).toBeInTheDocument();
  await user.click(within(part).getByRole("button", { name: "the nearest" }));
  expect(await within(part).findByText("is no option:", { exact: false })).toBeInTheDocument();
  await user.clear(within(part).getByLabelText("Why not the offer"));
  await user.type(within(part).getByLabelText("Why not the offer"), "vast:1{Enter}");
  await waitFor(() => expect(lastAsked(host, "plan_why_not")).toMatchObject({ offer: "vast:1" }));
});

it("says what is missing where nothing does it", async () => {
  const { container } = await openWork({ prepare: (host) => host.answer("plan_options", mockNoPlan) });
  expect(await screen.findByRole("heading", { name: "Nothing on the board does it" })).toBeInTheDocument();
  expect(screen.getByText(/each card needs 810 GiB, the nearest has 180/)).toBeInTheDocument();
  await expectAccessible(container);
});

it("keeps the last plan beside an error, and asks for a model before any", async () => {
  const { user } = await openWork({
    prepare: (host) =>
      host.answer("plan_options", () => {
        throw new HostError({
          code: "request-invalid",
          what: "the model",
          detail: "`lama` is none",
          hint: "Perhaps Llama.",
          line: null,
        });
      }),
  });
  expect(await screen.findByText(/`lama` is none/)).toBeInTheDocument();
  await user.clear(screen.getByRole("combobox", { name: "Model" }));
  expect(await screen.findByRole("heading", { name: "Say what the work is" })).toBeInTheDocument();
});

it("speaks Russian about plans", async () => {
  const { container } = await openWork({ settings: { language: "ru" } }, "План");
  expect(await screen.findByText(/^Дешевле всех из подходящих: нужно 46 из 80 GiB/)).toBeInTheDocument();
  await expectAccessible(container);
});
