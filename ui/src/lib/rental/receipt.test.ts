import { beforeEach, expect, it } from "vitest";

import type { RentalDetails } from "../host/bindings";
import { mockDetails, mockRental } from "../host/mock/rentals";
import { locale } from "../i18n/locale.svelte";
import { receiptOf, receiptText } from "./receipt";

beforeEach(() => locale.choose("en"));

function ended(more: Partial<RentalDetails> = {}): RentalDetails {
  const rental = mockRental({
    name: "train-a",
    state: "ended",
    over: true,
    account: "vast",
    remote_id: "20941234",
    ended_at: "2026-11-30T12:00:00Z",
    cost_so_far: { amount: "1.24", currency: "USD", parts: { compute: "1.2", storage: "0.04" }, unknown: [] },
  });
  const event = (event: string, figures: Record<string, unknown>) => ({
    at: "2026-11-30T12:00:00Z",
    event,
    text: `${event} (English)`,
    weight: "note",
    figures,
  });
  return {
    ...mockDetails(rental),
    receipt: "# train-a",
    events: [
      event("gone", { proof: "a full list lacks it" }),
      event("billed", { bill: { total: "1.25", currency: "USD" } }),
      event("looked-again", { minutes: 30, there: false }),
    ],
    ...more,
  };
}

it("sums what the parts come to and proves that nothing is left", () => {
  const [machine, costs, proofs] = receiptOf(ended()) ?? [];
  expect(machine?.lines).toContainEqual({ label: "Machine", text: "20941234" });
  expect(costs?.lines.map(({ text }) => text)).toEqual([
    expect.stringContaining("1.2"),
    expect.stringContaining("0.04"),
    expect.stringMatching(/^\$1\.24/),
    "not known here",
    expect.stringContaining("1.25"),
  ]);
  expect(proofs?.lines).toHaveLength(2);
});

it("calls a sum of which a part is not known a lower bound", () => {
  const details = ended();
  details.rental.cost_so_far.unknown = ["storage"];
  const total = receiptOf(details)?.[1]?.lines.find(({ label }) => label === "Total");
  expect(total?.text).toMatch(/^≥ /);
});

it("speaks Russian throughout, in what is copied too", () => {
  locale.choose("ru");
  const text = receiptText(receiptOf(ended()) ?? []);
  expect(text).toMatch(/^# Итог: train-a\n/);
  expect(text).toContain("## Доказательства");
  // Names, amounts and the provider's own words aside, nothing is left in English.
  const own = text.replace(/train-a|vast|a full list lacks it/g, "");
  expect(own.match(/[A-Za-z]{3,}/g)).toBeNull();
});

it("is not there while something may be left", () => {
  expect(receiptOf(ended({ receipt: null }))).toBeNull();
});
