import { screen, waitFor, within } from "@testing-library/svelte";
import { expect, it, vi } from "vitest";

import { HostError } from "../lib/host/host";
import { mockRental } from "../lib/host/mock/rentals";
import { rentalOfLink } from "../shell/link";
import { expectAccessible, lastAsked, openDesk } from "./desk";

// What a terminal draws is xterm's business and needs a real page; what is typed and printed is ours.
const drawn: string[] = [];
let hands: { ontype: (text: string) => void; onleave: () => void } | undefined;
vi.mock("../views/terminal/screen", () => ({
  openScreen: (place: HTMLElement, given: typeof hands) => {
    hands = given;
    place.tabIndex = -1;
    return {
      cols: 80,
      rows: 24,
      write: (bytes: Uint8Array) => drawn.push(new TextDecoder().decode(bytes)),
      focus: () => place.focus(),
      fit: () => undefined,
      paint: () => undefined,
      close: () => undefined,
    };
  },
}));

async function openRentals(options: Parameters<typeof openDesk>[0] = {}) {
  location.hash = "#/rentals";
  const desk = await openDesk({ rows: 20, ...options });
  await screen.findByRole("grid", { name: "Rentals" });
  return desk;
}

it("lists our machines and those that are not ours, with what they burn", async () => {
  const { container } = await openRentals();
  const row = await screen.findByRole("row", { name: /train-llama/ });
  expect(within(row).getByText("Ready")).toBeInTheDocument();
  expect(within(row).getByText("$83.19")).toBeInTheDocument();
  expect(within(row).getByText(/^2.h 48.min left$/)).toBeInTheDocument();
  expect(screen.getByText(/Unmanaged: running in your accounts/)).toBeInTheDocument();
  expect(screen.getAllByText("5 machines").length).toBeGreaterThan(0);
  // A part that is not known makes the sum a lower bound.
  expect(screen.getByText("≥ $1.41")).toBeInTheDocument();
  const details = await screen.findByRole("complementary", { name: "Details" });
  expect(await within(details).findByText("SSH answers")).toBeInTheDocument();
  expect(within(details).getByText(/costs \$12.40 a month/)).toBeInTheDocument();
  await expectAccessible(container);
});

it("shows every word of a provider, however many there are", async () => {
  const says = (words: string) => ({
    code: "provider-says",
    text: words,
    weight: "note",
    figures: { words },
  });
  await openRentals({
    prepare: (host) =>
      (host.rentals = [mockRental({ name: "talked-of", notices: [says("moved"), says("moved again")] })]),
  });
  const details = await screen.findByRole("complementary", { name: "Details" });
  expect(within(details).getByText("The provider says: “moved”")).toBeInTheDocument();
  expect(within(details).getByText("The provider says: “moved again”")).toBeInTheDocument();
});

it("leads to the market or the practice market where nothing is rented", async () => {
  const { user } = await openRentals({
    prepare: (host) => {
      host.rentals = [];
      host.unmanaged = [];
    },
  });
  expect(await screen.findByRole("heading", { name: "No machine is rented" })).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Practice market" }));
  expect(await screen.findByText("PRACTICE")).toBeInTheDocument();
  expect(await screen.findByRole("button", { name: "Back to the real market" })).toBeInTheDocument();
});

it("stops only after it has said what a stop means here", async () => {
  const { host, user } = await openRentals();
  await screen.findByRole("row", { name: /train-llama/ });
  await user.keyboard("s");
  const dialog = await screen.findByRole("dialog", { name: "Stop train-llama?" });
  expect(within(dialog).getByText("While stopped, the cards are not billed.")).toBeInTheDocument();
  expect(lastAsked(host, "rental_stop")).toBeUndefined();
  await user.click(within(dialog).getByRole("button", { name: "Stop train-llama" }));
  await waitFor(() => expect(lastAsked(host, "rental_stop")).toEqual({ rental: "01jd-train-llama" }));
});

it("ends by a checklist that names the machine and its price", async () => {
  const { host, user } = await openRentals();
  await screen.findByRole("row", { name: /train-llama/ });
  await user.keyboard("e");
  const dialog = await screen.findByRole("dialog", { name: "End train-llama?" });
  expect(await within(dialog).findByText("On the cards: python train.py")).toBeInTheDocument();
  expect(within(dialog).getByText("$35.00 a month")).toBeInTheDocument();
  await expectAccessible(dialog);
  await user.click(within(dialog).getByRole("button", { name: "End train-llama ($15.92 / h)" }));
  await waitFor(() => expect(lastAsked(host, "rental_end")).toEqual({ rental: "01jd-train-llama" }));
  expect(await screen.findByText("train-llama has ended, as the provider confirms")).toBeInTheDocument();
});

it("ends what is not ours only after its name was typed", async () => {
  const { host, user } = await openRentals();
  await user.click(await screen.findByRole("button", { name: "End… ubuntu-gpu-2" }));
  const dialog = await screen.findByRole("dialog", { name: "End ubuntu-gpu-2?" });
  const end = within(dialog).getByRole("button", { name: /^End ubuntu-gpu-2/ });
  expect(end).toBeDisabled();
  await user.type(within(dialog).getByRole("textbox"), "ubuntu-gpu-2");
  await user.click(end);
  await waitFor(() =>
    expect(lastAsked(host, "unmanaged_act")).toMatchObject({ remote_id: "19881100", action: "end" }),
  );
});

it("says which account is blind, since when, and what still works", async () => {
  await openRentals({
    prepare: (host) =>
      host.answer("rentals_list", () => ({
        rentals: [mockRental()],
        unmanaged: [],
        burning_machines: 1,
        burning_usd: null,
        burning_unknown: 1,
        blind: [
          {
            account: "vast/team",
            since: new Date(Date.now() - 600_000).toISOString(),
            error: {
              code: "network",
              what: "list",
              detail: "timed out",
              hint: "Check the proxy.",
              line: null,
            },
          },
        ],
        reconciled_at: null,
      })),
  });
  expect(await screen.findByText(/vast\/team cannot be looked into for 10 min/)).toBeInTheDocument();
  expect(screen.getByText(/Check the proxy/)).toBeInTheDocument();
});

it("opens a shell, types into it, leaves it by F6, and asks before a running one is closed", async () => {
  drawn.length = 0;
  const { host, user, container } = await openRentals();
  await screen.findByRole("row", { name: /train-llama/ });
  await user.keyboard("c");
  const tab = await screen.findByRole("tab", { name: "train-llama" });
  await waitFor(() => expect(drawn.join("")).toContain("root@box"));
  hands?.ontype("ls\r");
  await waitFor(() => expect(lastAsked(host, "terminal_write")).toEqual({ id: 1, data: btoa("ls\r") }));
  await waitFor(() => expect(drawn.join("")).toContain("ls"));
  hands?.onleave();
  expect(screen.getByRole("grid", { name: "Rentals" })).toHaveFocus();
  await expectAccessible(container);
  await user.click(screen.getByRole("button", { name: "Close train-llama" }));
  const dialog = await screen.findByRole("dialog", { name: "Close the terminal of train-llama?" });
  await user.click(within(dialog).getByRole("button", { name: "Close the terminal" }));
  await waitFor(() => expect(tab).not.toBeInTheDocument());
  expect(lastAsked(host, "terminal_close")).toEqual({ id: 1 });
});

it("refuses a changed host key loudly, and takes the new one only by a person's word", async () => {
  const offered = "SHA256:uNiVztksCsDhcc0u9e8BrnFZuhDkDFUOEa3tBn4sd2E";
  const { host, user } = await openRentals({
    prepare: (given) =>
      given.answer("terminal_read", () => ({
        data: "",
        offset: 0,
        exit: 255,
        problem: {
          code: "host-key-changed",
          what: "train-llama",
          detail: `the machine offers ${offered}`,
          hint: null,
          line: null,
        },
      })),
  });
  await screen.findByRole("row", { name: /train-llama/ });
  await user.keyboard("c");
  expect(await screen.findByText("train-llama answers with another host key")).toBeInTheDocument();
  const alert = screen.getByRole("alert");
  expect(within(alert).getByText(offered)).toBeInTheDocument();
  expect(within(alert).getByText(/^SHA256:nThbg/)).toBeInTheDocument();
  const accept = within(alert).getByRole("button", { name: "Accept the new key" });
  expect(accept).toBeDisabled();
  await user.click(within(alert).getByRole("checkbox"));
  await user.click(accept);
  await waitFor(() => expect(lastAsked(host, "host_key_accept")).toMatchObject({ fingerprint: offered }));
});

it("reads links to rentals", () => {
  expect(rentalOfLink("gpudesk://rental/train-llama")).toBe("train-llama");
  expect(rentalOfLink("gpudesk://offer/vast%3A1")).toBeNull();
});

it("tells an error of an account where the list would be", async () => {
  await openRentals({
    prepare: (host) =>
      host.answer("rentals_list", () => {
        throw new HostError({ code: "database", what: "rentals", detail: "damaged", hint: null, line: null });
      }),
  });
  expect(await screen.findByText("The database could not be used")).toBeInTheDocument();
});
