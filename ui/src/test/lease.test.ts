import { screen, waitFor, within } from "@testing-library/svelte";
import { expect, it } from "vitest";

import type { LeaseSetRequest } from "../lib/host/bindings";
import { HostError } from "../lib/host/host";
import { mockRental } from "../lib/host/mock/rentals";
import { expectAccessible, lastAsked, openDesk } from "./desk";

async function openRentals(options: Parameters<typeof openDesk>[0] = {}) {
  location.hash = "#/rentals";
  const desk = await openDesk({ rows: 20, ...options });
  await screen.findByRole("row", { name: /train-llama/ });
  return desk;
}

it("sets the limits of a machine by keyboard", async () => {
  const { host, user } = await openRentals();
  await user.keyboard("l");
  const dialog = await screen.findByRole("dialog", { name: "Lease of train-llama" });
  await expectAccessible(dialog);
  expect(within(dialog).getByText(/^Its lease ends /)).toBeInTheDocument();
  await user.click(within(dialog).getByRole("radio", { name: /^\+ 4/ }));
  await user.type(within(dialog).getByLabelText("Spend at most, USD"), "80");
  expect(within(dialog).getByText(/\$83.19 is spent already/)).toBeInTheDocument();
  await user.type(within(dialog).getByLabelText("Idle at most, minutes"), "0");
  expect(within(dialog).getByRole("button", { name: "Set the lease" })).toBeDisabled();
  await user.clear(within(dialog).getByLabelText("Idle at most, minutes"));
  await user.type(within(dialog).getByLabelText("Idle at most, minutes"), "30");
  await user.click(within(dialog).getByRole("button", { name: "Set the lease" }));
  await waitFor(() => expect(lastAsked(host, "rental_lease_set")).toBeDefined());
  const asked = lastAsked(host, "rental_lease_set") as LeaseSetRequest;
  expect(asked).toMatchObject({
    rental: "01jd-train-llama",
    max_spend: "80",
    idle_minutes: 30,
    on_expiry: "stop",
  });
  const hours = (Date.parse(asked.until ?? "") - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(3.9);
  expect(hours).toBeLessThan(4.1);
  expect(await screen.findByText("train-llama has new limits")).toBeInTheDocument();
});

it("says where a stop saves nothing, and offers the end", async () => {
  const stop = mockRental().stop;
  const { host, user } = await openRentals({
    prepare: (given) => (given.rentals = [mockRental({ stop: { ...stop, ends_compute: false } })]),
  });
  await user.keyboard("l");
  const dialog = await screen.findByRole("dialog", { name: "Lease of train-llama" });
  expect(within(dialog).getByText("A stop saves nothing at Vast.ai: end instead?")).toBeInTheDocument();
  await user.click(within(dialog).getByRole("button", { name: "End instead" }));
  expect(within(dialog).getByText(/The machine and its disk are deleted/)).toBeInTheDocument();
  await user.click(within(dialog).getByRole("radio", { name: "no limit" }));
  expect(within(dialog).getByText(/nothing ends it by itself/)).toBeInTheDocument();
  await user.click(within(dialog).getByRole("button", { name: "Set the lease" }));
  await waitFor(() =>
    expect(lastAsked(host, "rental_lease_set")).toEqual({
      rental: "01jd-train-llama",
      until: null,
      max_spend: null,
      idle_minutes: null,
      on_expiry: "end",
    }),
  );
});

it("refuses a time that is none, and shows what the desk says against a lease", async () => {
  const { user } = await openRentals({
    prepare: (host) =>
      host.answer("rental_lease_set", () => {
        throw new HostError({
          code: "request-invalid",
          what: "the lease",
          detail: "it is over",
          hint: null,
          line: null,
        });
      }),
  });
  await user.keyboard("l");
  const dialog = await screen.findByRole("dialog", { name: "Lease of train-llama" });
  const day = within(dialog).getByLabelText("Day");
  await user.clear(day);
  expect(within(dialog).getByText(/A day like 2026-12-31/)).toBeInTheDocument();
  expect(within(dialog).getByRole("button", { name: "Set the lease" })).toBeDisabled();
  await user.type(day, "2027-01-31");
  await user.click(within(dialog).getByRole("button", { name: "Set the lease" }));
  expect(await within(dialog).findByText("it is over")).toBeInTheDocument();
});

it("shows what idles, why, and what the lease will do, and keeps it by one press", async () => {
  const { host, user, container } = await openRentals();
  const row = screen.getByRole("row", { name: /notebook-an/ });
  expect(within(row).getByText("Idle")).toHaveAttribute("title", expect.stringMatching(/nothing computes/));
  expect(within(row).getByText("22 min")).toBeInTheDocument();
  expect(within(row).getByText(/^ends \d/)).toBeInTheDocument();
  expect(screen.getByText("1 idle for 22 min")).toBeInTheDocument();
  await expectAccessible(container);
  await user.click(within(row).getByRole("button", { name: "Keep notebook-an" }));
  await waitFor(() => expect(lastAsked(host, "rental_keep")).toEqual({ rental: "01jd-notebook-an" }));
  expect(await screen.findByText(/its idle time counts anew/)).toBeInTheDocument();
  await waitFor(() =>
    expect(within(row).queryByRole("button", { name: "Keep notebook-an" })).not.toBeInTheDocument(),
  );
  // A press in a row does not open it besides.
  const details = screen.getByRole("complementary", { name: "Details" });
  expect(within(details).getByRole("heading", { name: "train-llama" })).toBeInTheDocument();
});
