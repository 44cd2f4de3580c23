import { beforeEach, expect, it } from "vitest";

import type { OfferRow, TotalDto } from "../host/bindings";
import { mockRow } from "../host/mock/market";
import { locale } from "../i18n/locale.svelte";
import { billing, extras, jobTotal, metered, perGpuHour, perUnit } from "./price";

const nb = "\u00a0";

beforeEach(() => locale.choose("en"));

function priced(low: string | null, high: string | null, marks: TotalDto["marks"]): OfferRow {
  const row = mockRow(3);
  const total: TotalDto = {
    usd: high ?? "0",
    low: low ?? "0",
    high: high ?? "0",
    hours: 48,
    parts: { compute: null, storage: null, egress: null },
    marks,
    unknown: [],
  };
  return { ...row, total_low: low, total_high: high, offer: { ...row.offer, total } };
}

const said = { compute: "said", storage: "said", egress: "said" };

it("shows a total as a range where a part is not known, with ≈ where one is assumed", () => {
  expect(jobTotal(priced("791", "791", said), "USD")).toBe("$791");
  expect(jobTotal(priced("791", "903", said), "USD")).toBe("$791–903");
  expect(jobTotal(priced("791", "791", { ...said, storage: "assumed" }), "USD")).toBe(`≈${nb}$791`);
  expect(jobTotal(priced("791", null, said), "USD")).toBe(`≥${nb}$791`);
  expect(jobTotal(priced(null, null, said), "USD")).toBeNull();
});

it("leaves a price in its own currency where no rate is known", () => {
  const row = mockRow(3);
  const roubles = {
    ...row,
    per_gpu_hour: null,
    offer: { ...row.offer, price: { ...row.offer.price, currency: "RUB", per_gpu_hour: "132.8" } },
  };
  expect(perGpuHour(roubles, "USD")).toEqual({ text: "₽133", foreign: true });
  expect(perGpuHour({ ...row, per_gpu_hour: "1.99" }, "USD")).toEqual({ text: "1.99", foreign: false });
  expect(perGpuHour({ ...row, per_gpu_hour: "1.99" }, "USD", true).text).toBe("$1.99");
});

it("says what is billed besides the hour, and null where nobody says", () => {
  const row = mockRow(3);
  const price = {
    ...row.offer.price,
    increment_s: 600,
    minimum_s: 3600,
    term: "12 months",
    egress_gb: "0",
    storage_gb_month: "0.2",
    storage_stopped_gb_month: null,
  };
  const full = { ...row, offer: { ...row.offer, price } };
  expect(billing(full)).toBe(`by 10${nb}min, at least 1${nb}h, for 12 months`);
  expect(extras(full)).toEqual({ disk: "$0.20 / GB·month", stopped: null, out: "free" });
  const silent = { ...price, increment_s: null, minimum_s: null, term: null };
  expect(billing({ ...full, offer: { ...full.offer, price: silent } })).toBeNull();
});

it("puts a price against what a card has, and says nothing of what is not known", () => {
  const row = mockRow(3);
  const gpu = { ...row.offer.gpu, vram_gib: 80, bf16_tflops: 989, bandwidth_gb_s: 3350, fraction: null };
  const card = { ...row, per_gpu_hour: "2.00", offer: { ...row.offer, gpu } };
  expect(perUnit(card, "vram", "USD")).toBe(`2.50${nb}¢`);
  expect(perUnit(card, "tflops", "USD")).toBe(`0.202${nb}¢`);
  expect(perUnit(card, "bandwidth", "USD")).toBe("0.597");
  const slice = { ...card, offer: { ...row.offer, gpu: { ...gpu, fraction: 0.5 } } };
  expect(perUnit(slice, "tflops", "USD")).toBe(`0.404${nb}¢`);
  expect(perUnit(slice, "bandwidth", "USD")).toBeNull();
  expect(perUnit({ ...card, per_gpu_hour: null }, "vram", "USD")).toBeNull();
});

it("shows seconds and tokens in their own form, never as an hour", () => {
  const row = mockRow(3);
  const meter = {
    unit: "tokens",
    per_second: null,
    per_million_in: "0.13",
    per_million_out: "0.4",
    assumed: "x",
  };
  const with_ = (meter: OfferRow["offer"]["price"]["meter"]) => ({
    ...row,
    offer: { ...row.offer, price: { ...row.offer.price, meter } },
  });
  expect(metered(row)).toBeNull();
  expect(metered(with_(meter))).toBe("$0.13 / $0.40");
  expect(metered(with_(meter), true)).toBe("$0.13 in, $0.40 out per 1M tokens");
  const second = {
    ...meter,
    unit: "second",
    per_second: "0.00116",
    per_million_in: null,
    per_million_out: null,
  };
  expect(metered(with_(second))).toBe("$0.00116/s");
  locale.choose("ru");
  expect(metered(with_(second))).toBe(`0,00116${nb}$/с`);
});
