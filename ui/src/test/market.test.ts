import { fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import { expect, it, vi } from "vitest";

import type { MarketPageRequest, Settings } from "../lib/host/bindings";
import { mockRow } from "../lib/host/mock/market";
import { mockAccounts } from "../lib/host/mock/rentals";
import { failingFeed } from "../lib/host/mock/sources";
import { expectAccessible, lastAsked, openDesk, openMarket } from "./desk";

function line(host: Parameters<typeof lastAsked>[0]): string | undefined {
  return (lastAsked(host, "market_page") as MarketPageRequest | undefined)?.view.line;
}

it("fills the table with a window of rows and says how many there are", async () => {
  const { container } = await openMarket();
  const grid = screen.getByRole("grid", { name: "Offers" });
  expect(grid).toHaveAttribute("aria-rowcount", "401");
  expect(within(grid).getAllByRole("row").length).toBeLessThan(20);
  expect(within(grid).getAllByRole("row")[1]).toHaveAttribute("aria-rowindex", "2");
  expect(screen.getByText(/400 offers/)).toBeInTheDocument();
  await waitFor(() => expect(document.documentElement.dataset.painted).toBe("rows"));
  await expectAccessible(container);
});

it("takes a query by keyboard: / to the line, space makes chips, Enter goes on to the rows", async () => {
  const { host, user } = await openMarket();
  await user.keyboard("/");
  expect(screen.getByRole("searchbox", { name: "Query" })).toHaveFocus();
  await user.keyboard("h100 x8 zone:eea ");
  expect(await screen.findByRole("button", { name: "Remove zone : eea" })).toBeInTheDocument();
  await waitFor(() => expect(line(host)).toBe("h100 x8 zone:eea"));
  await user.keyboard("{Enter}");
  await waitFor(() => expect(screen.getByRole("grid")).toHaveFocus());
  await user.click(screen.getByRole("button", { name: "Remove count = 8" }));
  await waitFor(() => expect(line(host)).toBe("h100 zone:eea"));
});

it("names the word it does not understand and mends it on a click", async () => {
  const { host, user } = await openMarket();
  await user.keyboard("/h100 ");
  const counts = (await screen.findByText(/\d+ of 400/)).textContent;
  await user.keyboard("h20");
  expect(await screen.findByText("“h20” is not understood.")).toBeInTheDocument();
  // The rows of what could be read stay.
  expect(screen.getByText(/of 400/).textContent).toBe(counts);
  await user.click(screen.getByRole("button", { name: "Did you mean “h200”?" }));
  await waitFor(() => expect(line(host)).toBe("h100 h200"));
  expect(screen.queryByText(/is not understood/)).not.toBeInTheDocument();
});

it("filters by facets with live counts, and takes them back", async () => {
  const { host, user } = await openMarket();
  const filters = screen.getByRole("complementary", { name: "Filters" });
  const terms = within(filters).getByRole("region", { name: "Terms" });
  await user.click(within(terms).getByRole("checkbox", { name: /^spot/ }));
  await waitFor(() => expect(line(host)).toBe("kind:spot"));
  await user.click(await within(terms).findByRole("button", { name: "Clear Terms" }));
  await waitFor(() => expect(line(host)).toBe(""));
  await fireEvent.input(within(filters).getByRole("slider"), { target: { value: "5" } });
  await waitFor(() => expect(line(host)).toBe("vram>=80"));
  expect(within(filters).getByRole("slider")).toHaveAttribute("aria-valuetext", "at least 80\u00a0GiB");
});

it("turns prices into totals and sorts by them", async () => {
  const { host, user } = await openMarket();
  expect(screen.queryByRole("columnheader", { name: /Job total/ })).not.toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Job…" }));
  await user.click(await screen.findByRole("button", { name: /^48.h$/ }));
  await waitFor(() =>
    expect(lastAsked(host, "market_page")).toMatchObject({ view: { sort: "total", job: { hours: 48 } } }),
  );
  const head = await screen.findByRole("columnheader", { name: /Job total/ });
  expect(head).toHaveAttribute("aria-sort", "ascending");
  await waitFor(() =>
    expect(lastAsked(host, "settings_set")).toMatchObject({ job: { hours: 48, disk_gb: 0, egress_gb: 0 } }),
  );
});

it("sorts by the head of a column, and the other way on the second click", async () => {
  const { host, user } = await openMarket();
  await user.click(within(screen.getByRole("grid")).getByRole("button", { name: "VRAM" }));
  await waitFor(() =>
    expect(lastAsked(host, "market_page")).toMatchObject({ view: { sort: "vram-size", descending: true } }),
  );
  await user.click(within(screen.getByRole("grid")).getByRole("button", { name: /^VRAM/ }));
  await waitFor(() =>
    expect(lastAsked(host, "market_page")).toMatchObject({ view: { sort: "vram-size", descending: false } }),
  );
});

it("walks, opens and compares by keyboard", async () => {
  const { host, user, container } = await openMarket();
  screen.getByRole("grid").focus();
  await user.keyboard("jj");
  expect(screen.getByRole("row", { selected: true })).toHaveAttribute("aria-rowindex", "4");
  await user.keyboard("kxjx");
  await waitFor(() =>
    expect((lastAsked(host, "settings_set") as Settings | undefined)?.compare).toHaveLength(2),
  );
  await user.click(screen.getByRole("radio", { name: "Compare 2" }));
  const table = await screen.findByRole("table");
  expect(within(table).getAllByRole("columnheader")).toHaveLength(2);
  expect(within(table).getByText("cheapest")).toBeInTheDocument();
  await expectAccessible(container);
  await user.click(screen.getByRole("checkbox", { name: "Only differences" }));
  expect(within(table).queryByText("Between boxes")).not.toBeInTheDocument();
  await user.keyboard("{Escape}");
  expect(await screen.findByRole("grid", { name: "Offers" })).toBeInTheDocument();
});

it("shows all that is known of a row, and a dash with its reason for the rest", async () => {
  await openMarket();
  const details = screen.getByRole("complementary", { name: "Details" });
  expect(await within(details).findByText("Where this comes from")).toBeInTheDocument();
  expect(within(details).getAllByTitle(/does not say/).length).toBeGreaterThan(0);
  expect(within(details).getByRole("button", { name: "Rent…" })).toBeInTheDocument();
});

it("says plainly where it cannot rent, and how to do it by hand", async () => {
  const { user } = await openMarket({
    prepare: (host) => host.answer("accounts_list", () => ({ ...mockAccounts([]), providers: [] })),
  });
  await user.keyboard("r");
  const sheet = await screen.findByRole("dialog", { name: /^Rent at / });
  expect(within(sheet).getByText(/Nothing has been ordered/)).toBeInTheDocument();
  expect(await within(sheet).findByText(/^gpudesk compare/)).toBeInTheDocument();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
});

it("marks what is rented by hand and opens its page", async () => {
  const usual = mockRow(3);
  const row = {
    ...usual,
    offer: { ...usual.offer, rentable: false, rent_page: "https://seller.example/gpu" },
  };
  const { host, user } = await openMarket({
    prepare: (host) => {
      host.answer("offer_page_open", () => ({ page: "https://seller.example/gpu", opened: true }));
      host.answer("offer_details", ({ id }) => ({
        row: { ...row, offer: { ...row.offer, id } },
        origin: "a price list",
        city: null,
        memory_type: null,
        architecture: null,
        tdp_w: null,
        history: [],
        quarantine: null,
        command: `gpudesk price '${id}'`,
        parts: null,
        policies: [],
      }));
    },
  });
  const details = screen.getByRole("complementary", { name: "Details" });
  await user.click(await within(details).findByRole("button", { name: `Rent at ${row.provider_title}…` }));
  const sheet = await screen.findByRole("dialog", { name: `Rent at ${row.provider_title}…` });
  expect(within(sheet).getByText("https://seller.example/gpu")).toBeInTheDocument();
  await user.click(within(sheet).getByRole("button", { name: "Open in the browser" }));
  await waitFor(() =>
    expect(lastAsked(host, "offer_page_open")).toEqual({ offer: expect.any(String) as string }),
  );
});

it("copies a row in the desk's own words from its menu", async () => {
  const { host, user } = await openMarket();
  const row = screen.getByRole("row", { selected: true });
  await user.pointer({ target: row, keys: "[MouseRight]" });
  await user.click(await screen.findByRole("menuitem", { name: "CSV" }));
  await waitFor(() =>
    expect(lastAsked(host, "offers_copy")).toMatchObject({ format: "csv", ids: [expect.any(String)] }),
  );
  expect(await screen.findByText("1 row is on the clipboard")).toBeInTheDocument();
});

it("opens on the cards, the most offered first, and a click opens that card's offers", async () => {
  const { host, user, container } = await openDesk();
  const grid = await screen.findByRole("grid", { name: /Cards/ });
  const row = (await within(grid).findByText("H200 SXM")).closest('[role="row"]') as HTMLElement;
  expect(within(row).getByRole("img", { name: /H200 SXM over 6 days/ })).toBeInTheDocument();
  expect(lastAsked(host, "market_groups")).toMatchObject({ view: { sort: "offers", descending: true } });
  await expectAccessible(container);
  await user.click(row);
  await waitFor(() => expect(line(host)).toBe("gpu:H200_SXM"));
  expect(screen.getByRole("grid", { name: "Offers" })).toBeInTheDocument();
});

it("chooses columns and remembers them", async () => {
  const { host, user } = await openMarket();
  await user.click(screen.getByRole("button", { name: /^Columns/ }));
  await user.click(await screen.findByRole("checkbox", { name: "CUDA" }));
  expect(await screen.findByRole("columnheader", { name: "CUDA" })).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "CUDA: move left" }));
  await waitFor(() => {
    const { columns } = lastAsked(host, "settings_set") as Settings;
    const keys = columns.map(({ key }) => key);
    expect(columns.find(({ key }) => key === "cuda")?.shown).toBe(true);
    expect(keys.indexOf("cuda")).toBe(keys.indexOf("tflops") - 1);
  });
});

it("watches the current query and tells of a hit", async () => {
  const { host, user } = await openMarket();
  await user.keyboard("/h100 {Enter}");
  await user.click(screen.getByRole("button", { name: "Watch" }));
  await user.click(await screen.findByRole("button", { name: "Tell me" }));
  await waitFor(() => expect(lastAsked(host, "watch_add")).toEqual({ line: "h100" }));
  host.tell({
    kind: "watch_hit",
    id: 1,
    line: "h100",
    offer: "verda:8",
    title: "8× H100 SXM · Verda",
    usd: "1.79",
  });
  expect(
    await screen.findByText("A better match: 8× H100 SXM · Verda at $1.79 per GPU-hour"),
  ).toBeInTheDocument();
});

it("reads again what an event makes stale, and keeps the rows meanwhile", async () => {
  const { host } = await openMarket();
  const before = host.asked.filter(({ command }) => command === "market_page").length;
  host.board = 2;
  host.tell({ kind: "board_changed", board: 2 });
  expect(screen.getAllByRole("row").length).toBeGreaterThan(5);
  await waitFor(() =>
    expect(host.asked.filter(({ command }) => command === "market_page").length).toBeGreaterThan(before),
  );
});

it("tells calmly which source fails, what stays, and what to do", async () => {
  const { user } = await openMarket({
    prepare: (host) =>
      (host.sources[1] = {
        name: "runpod",
        title: "RunPod",
        busy: false,
        needs_account: false,
        feeds: [failingFeed()],
      }),
  });
  expect(await screen.findByText(/RunPod did not answer. The last known offers stay/)).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: /RunPod no answer/ }));
  const sheet = await screen.findByRole("dialog", { name: "RunPod" });
  expect(within(sheet).getByText(/connection refused/)).toBeInTheDocument();
  expect(within(sheet).getByText("Next step: Check the proxy in Settings.")).toBeInTheDocument();
});

it("lists what a source sent that cannot be true", async () => {
  const { host, user } = await openMarket();
  await user.click(screen.getByRole("button", { name: /^Vast.ai/ }));
  const sheet = await screen.findByRole("dialog", { name: "Vast.ai" });
  await user.click(within(sheet).getByRole("button", { name: "9 in quarantine" }));
  expect(await within(sheet).findByText("Impossible price")).toBeInTheDocument();
  expect(lastAsked(host, "quarantine_list")).toEqual({ feed: "vast", offset: 0, limit: 10 });
});

it("lays the details over the table where there is no room beside it, and Esc takes them away", async () => {
  const wide = vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(1000);
  const { user } = await openMarket();
  expect(screen.queryByRole("complementary", { name: "Details" })).not.toBeInTheDocument();
  screen.getByRole("grid").focus();
  await user.keyboard("{Enter}");
  expect(await screen.findByRole("complementary", { name: "Details" })).toBeInTheDocument();
  await user.keyboard("{Escape}");
  await waitFor(() =>
    expect(screen.queryByRole("complementary", { name: "Details" })).not.toBeInTheDocument(),
  );
  wide.mockRestore();
});
