import type { BuyAnswer, BuyInput, BuyPoint, BuyRequest, Commands } from "../bindings";

// Renting against owning, as the desk would answer: made-up cards, the contract's own figures.

function input(name: string, unit: string, value: string | null, more: Partial<BuyInput> = {}): BuyInput {
  return {
    name,
    value,
    unit,
    low: null,
    high: null,
    origin: value === null ? "missing" : "table",
    source: "module alone, 2026-03: an index",
    usual_range: false,
    ...more,
  };
}

const curve: BuyPoint[] = Array.from({ length: 51 }, (_, i) => {
  const used = i / 50;
  return {
    utilisation: used,
    owned_per_hour: used === 0 ? null : (1.962557 / used).toFixed(6),
    rent_per_hour: "2.5",
    reserved_per_hour: used === 0 ? null : (1.7 / used).toFixed(6),
    spot_per_hour: "1.4",
  };
});

/** A comparison; what was given stands in its inputs. */
export function mockComparison(request: BuyRequest): BuyAnswer {
  const given = new Map(request.given.map(({ name, value }) => [name, value.split(":")[0] ?? ""]));
  const used = Number((given.get("utilisation") ?? "0").replace("%", "")) / 100;
  const inputs = [
    input("price", "money/card", "30000", { low: "25000", high: "30000" }),
    input("term", "months", "18", { origin: "assumed", source: "the age for which the resale is stated" }),
    input("resale", "share", "30%@18m", {
      low: "0.3",
      high: "0.547723",
      origin: "assumed",
      usual_range: true,
    }),
    input("capital", "share/year", "0", { origin: "assumed", source: "own money" }),
    input("running", "money/card/month", "266", { low: "212.8", high: "319.2", usual_range: true }),
    input("rent", "money/card/hour", "2.5", {
      low: "2.25",
      high: "2.75",
      origin: "board",
      source: "median of 57 on-demand offers of H100 SXM on the board",
      usual_range: true,
    }),
  ].map((one) => {
    const value = given.get(one.name);
    return value === undefined ? one : { ...one, value, origin: "given", source: "given" };
  });
  return {
    as_of: "2026-11-30T09:00:00Z",
    currency: request.currency,
    fx: null,
    gpu: request.gpu,
    count: request.count,
    monthly_cost_owned: (1432.6667 * request.count).toFixed(2),
    break_even_hours_per_month: 573.1,
    break_even_utilisation: 0.785,
    needed_hours: 573.1,
    reason: null,
    reason_code: null,
    month_hours: 730,
    band: {
      low: 0.44,
      high: null,
      low_hours: 324,
      high_hours: null,
      low_months: 9,
      high_months: null,
    },
    utilisation: used,
    break_even_months: used > 0.785 ? 12 : null,
    resale_share: 0.3,
    parts: [
      { name: "depreciation", amount: (1166.6667 * request.count).toFixed(2) },
      { name: "running", amount: (266 * request.count).toFixed(2) },
    ],
    inputs,
    missing: [],
    curve,
    sensitivity: [
      { name: "resale", low: "0.3", high: "0.547723", low_hours: 573.1, high_hours: 408 },
      { name: "rent", low: "2.25", high: "2.75", low_hours: 636.7, high_hours: 521 },
    ],
    against: [{ kind: "on-demand", per_hour: "2.5", hours: 573.1 }],
  };
}

/** The same where the price of the card is not known. */
export function mockMissing(request: BuyRequest): BuyAnswer {
  const whole = mockComparison(request);
  return {
    ...whole,
    monthly_cost_owned: null,
    break_even_hours_per_month: null,
    break_even_utilisation: null,
    needed_hours: null,
    reason: "not known: price",
    reason_code: "missing",
    band: null,
    break_even_months: null,
    resale_share: null,
    parts: [],
    inputs: whole.inputs.map((one) =>
      one.name === "price" ? input("price", one.unit, null, { source: "no public source states it" }) : one,
    ),
    missing: ["price"],
    sensitivity: [],
    against: [],
  };
}

type Answers = {
  [K in "buy_compare" | "buy_choices" | "buy_report"]: (
    request: Commands[K]["request"],
  ) => Commands[K]["response"];
};

/** The commands about buying. */
export function mockBuy(): Answers {
  return {
    buy_compare: mockComparison,
    buy_choices: () => ({
      models: [
        { name: "H100 SXM", priced: true },
        { name: "L40S", priced: false },
      ],
      places: [
        {
          place: "US-TX",
          name_en: "Texas, US",
          name_ru: "Техас, США",
          per_kwh: "0.0882",
          currency: "USD",
          dated: "2023",
        },
      ],
    }),
    buy_report: ({ form }) => ({ path: `/home/someone/rent-or-buy.${form}` }),
  };
}
