import type {
  AssumptionDto,
  Commands,
  OfferRow,
  Plan,
  PlanOptionDto,
  PlanRequest,
  Remark,
  SpanDto,
} from "../bindings";

// Plans as the desk would answer: offers of the made-up market, made-up memory whose parts sum.

const span = (low: number, high: number | null = low): SpanDto => ({ low, high });

const remark = (code: string, weight: string, figures: Record<string, string> = {}): Remark => ({
  code,
  text: `${code}, as the desk says it`,
  weight,
  figures,
});

const assumption = (
  name: string,
  low: number,
  high: number,
  more: Partial<AssumptionDto>,
): AssumptionDto => ({
  name,
  value: (low + high) / 2,
  low,
  high,
  unit: "share",
  source: "arXiv:2204.02311, table 3",
  about: name.replaceAll("_", " "),
  origin: "default",
  edit: true,
  default_low: low,
  default_high: high,
  ...more,
});

function option(row: OfferRow, place: number): PlanOptionDto {
  const total = 20 + place * 7;
  const spot = row.offer.price.kind === "spot";
  return {
    offer: row.offer,
    count: 1,
    currency: "USD",
    total: { low: total.toFixed(2), high: (total * 1.5).toFixed(2) },
    hours: span(9, 14),
    risk: "",
    reason: "",
    risks: spot ? [remark("interruption", "warn")] : [],
    why: remark(place === 0 ? "cheapest" : "dearer", "note", {
      machines: "1",
      needs_gib: "46.2",
      has_gib: "80",
      cards: String(row.offer.gpu.count),
      percent: String(place * 9),
    }),
    gpu_title: row.gpu_title,
    provider_title: row.provider_title,
    per_hour: row.per_hour,
    per_card_gib: span(41, 46.2),
    completion: span(0.93, 1),
    interruptions: spot ? span(0.4, 1.6) : null,
    lost_hours: spot ? span(0.2, 1.1) : null,
    tokens_per_s: span(2400, 3700),
    per_million_tokens: { low: "0.31", high: "0.62" },
    share_done: null,
    slice: null,
  };
}

/** A plan over these offers. */
export function mockPlan(request: PlanRequest, rows: readonly OfferRow[]): Plan {
  const edited = new Map(request.assumptions.map((one) => [one.name, one]));
  const assumptions = [
    assumption("training_utilisation", 0.3, 0.46, {}),
    assumption("gpu_overhead_gib", 0.5, 1, { unit: "gib", source: "nvidia-smi (recalled)" }),
    assumption("disk_gb", 60, 60, { unit: "gb", origin: "asked", source: "", edit: false }),
  ].map((one) => {
    const to = edited.get(one.name);
    return to ? { ...one, low: to.low, high: to.high, origin: "edited" } : one;
  });
  const options = rows.slice(0, 8).map(option);
  return {
    as_of: "2026-11-30T09:00:00Z",
    board: 1,
    currency: request.currency,
    fx: null,
    memory: {
      total_gib: span(41, 46.2),
      parts: {
        weights_gib: 37.2,
        optimizer_gib: 2.4,
        gradients_gib: 0.4,
        activations_gib: 4.7,
        kv_cache_gib: 0,
        overhead_gib: 1.5,
      },
      formulas: [
        { part: "weights", gib: span(36, 37.2), formula: "70.6e9 parameters × 4.5 bits" },
        { part: "optimizer", gib: span(2.4), formula: "0.2e9 trained parameters × 12 bytes" },
      ],
    },
    assumptions,
    options,
    firm: null,
    model: {
      name: request.model ?? "70B",
      kind: "decoder",
      params: 70.6e9,
      active_params: 70.6e9,
      layers: 80,
      kv_heads: 8,
      head_dim: 128,
      hidden: 8192,
      context: 131_072,
      source: "https://huggingface.co/meta-llama",
    },
    cards: [
      { vram_gib: 80, gpus: ["H100 SXM"], cards: 1, per_card_gib: span(41, 46.2), link: "none" },
      { vram_gib: 24, gpus: ["RTX 4090"], cards: 3, per_card_gib: span(16, 18), link: "nvlink" },
    ],
    deadline: null,
    tokens: null,
    total: options.length,
    considered: rows.length,
    left_out: [
      {
        reason: remark("memory", "block", { needs_gib: "46.2", has_gib: "24", short_gib: "22.2" }),
        rows: 120,
        nearest: rows.at(-1)?.offer.id ?? null,
      },
    ],
    missing: null,
    took_ms: 12.4,
  };
}

/** The same where nothing is large enough. */
export function mockNoPlan(request: PlanRequest): Plan {
  const figures = { needs_gib: "810", has_gib: "180", most_gib: "1440" };
  return { ...mockPlan(request, []), missing: remark("memory", "block", figures) };
}

/** The same where a slice of an own card is enough: it stands before the whole card. */
export function mockSlicedPlan(request: PlanRequest, rows: readonly OfferRow[]): Plan {
  const plan = mockPlan(request, rows.slice(0, 1));
  const slice = {
    profile: "1g.10gb",
    memory_gib: 10,
    compute_share: 1 / 7,
    bandwidth_share: 1 / 8,
    per_card: 7,
    beside: "4g.40gb",
    is_option: false,
    cost_share: 0.142857,
    per_hour_each: "1.28",
  };
  const fits = { slice: "1g.10gb", per_card: "7", each: "1.28", currency: "USD", beside: "4g.40gb" };
  const options = plan.options.flatMap((whole) => [
    {
      ...whole,
      why: remark("own-slice", "note", { needs_gib: "8", has_gib: "10", cost_share: "0.1429", ...fits }),
      risks: [remark("mig-off", "warn")],
      slice: { ...slice, is_option: true },
    },
    { ...whole, why: remark("own", "note", { needs_gib: "8", has_gib: "80", ...fits }), slice },
  ]);
  return { ...plan, options, total: options.length };
}

type Answers = {
  [K in "plan_options" | "plan_models" | "plan_why_not"]: (
    request: Commands[K]["request"],
  ) => Commands[K]["response"];
};

/** The commands about plans, over a made-up market. */
export function mockPlans(rows: readonly OfferRow[]): Answers {
  const { model } = mockPlan({ model: null, assumptions: [], currency: "USD" } as never, rows);
  return {
    plan_options: (request) => mockPlan(request, rows),
    plan_models: () =>
      model
        ? [
            { ...model, name: "Llama 3.1 70B" },
            { ...model, name: "Llama 3.1 8B", params: 8.03e9 },
            { ...model, name: "BGE-M3", params: 567e6 },
          ]
        : [],
    plan_why_not: ({ offer }) => ({
      offer,
      place: null,
      reasons: [remark("memory", "block", { needs_gib: "46.2", has_gib: "24" })],
      option: null,
    }),
  };
}
