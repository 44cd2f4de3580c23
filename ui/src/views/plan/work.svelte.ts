import type { AssumptionSet, PlanRequest } from "../../lib/host/bindings";

/** A number as typed; null where it is none. */
function numberOf(text: string): number | null {
  const value = Number(text.replaceAll(/\s/g, "").replace(",", "."));
  return text.trim() !== "" && Number.isFinite(value) && value >= 0 ? value : null;
}

const whole = (text: string) => {
  const value = numberOf(text);
  return value === null ? null : Math.round(value);
};

const text = (value: number | string | null) => (value === null ? "" : String(value));

/** What says how much memory the work takes: a known model, a model's figures, or the memory itself. */
export type NeedBy = "model" | "params" | "vram";

/** What says how much there is to do. */
export type AmountBy = "open" | "hours" | "tokens";

/** What is planned, as it is typed. */
export class Work {
  task = $state("finetune");
  model = $state("");
  /** What says how much memory it takes. */
  by = $state<NeedBy>("model");
  params = $state("");
  layers = $state("");
  kvHeads = $state("");
  headDim = $state("");
  vram = $state("");
  precision = $state("");
  method = $state("");
  context = $state("");
  concurrency = $state("");
  dataset = $state("");
  /** What says how much there is to do. */
  amount = $state<AmountBy>("open");
  tokens = $state("");
  hours = $state("");
  deadline = $state("");
  interruptible = $state(false);
  checkpoint = $state("");
  policy = $state("");
  disk = $state("");
  egress = $state("");
  assumptions = $state.raw<AssumptionSet[]>([]);

  /** Takes all of a request over, such as the one of the last run. */
  take(request: PlanRequest): void {
    this.task = request.task;
    this.model = request.model ?? "";
    this.params = request.params ?? "";
    this.layers = text(request.layers);
    this.kvHeads = text(request.kv_heads);
    this.headDim = text(request.head_dim);
    this.vram = text(request.vram_gib);
    this.by = this.vram !== "" ? "vram" : this.params !== "" ? "params" : "model";
    this.precision = request.precision ?? "";
    this.method = request.method ?? "";
    this.context = text(request.context);
    this.concurrency = text(request.concurrency);
    this.dataset = text(request.dataset_gb);
    this.tokens = request.tokens ?? "";
    this.hours = text(request.hours);
    this.amount = this.tokens !== "" ? "tokens" : this.hours !== "" ? "hours" : "open";
    this.deadline = request.deadline ?? "";
    this.interruptible = request.interruptible;
    this.checkpoint = text(request.checkpoint_minutes);
    this.policy = request.policy ?? "";
    this.disk = text(request.disk_gb);
    this.egress = text(request.egress_gb);
    this.assumptions = request.assumptions;
  }

  get trains(): boolean {
    return this.task === "training" || this.task === "finetune";
  }

  /** Changes an assumption; null = as the desk assumes it. */
  assume(name: string, to: { low: number; high: number } | null): void {
    const others = this.assumptions.filter((one) => one.name !== name);
    this.assumptions = to === null ? others : [...others, { name, ...to }];
  }

  /** What the desk is asked. */
  request(currency: string): PlanRequest {
    const named = (value: string) => value.trim() || null;
    return {
      task: this.task,
      model: this.by === "model" ? named(this.model) : null,
      params: this.by === "params" ? named(this.params) : null,
      active_params: null,
      layers: this.by === "params" ? whole(this.layers) : null,
      kv_heads: this.by === "params" ? whole(this.kvHeads) : null,
      head_dim: this.by === "params" ? whole(this.headDim) : null,
      hidden: null,
      vram_gib: this.by === "vram" ? numberOf(this.vram) : null,
      precision: named(this.precision),
      method: this.trains ? named(this.method) : null,
      context: whole(this.context),
      concurrency: whole(this.concurrency),
      tokens: this.amount === "tokens" ? named(this.tokens) : null,
      hours: this.amount === "hours" ? numberOf(this.hours) : null,
      deadline: named(this.deadline),
      interruptible: this.interruptible,
      checkpoint_minutes: this.interruptible ? numberOf(this.checkpoint) : null,
      policy: named(this.policy),
      dataset_gb: numberOf(this.dataset),
      disk_gb: numberOf(this.disk),
      egress_gb: numberOf(this.egress),
      currency,
      assumptions: this.assumptions,
      limit: 20,
    };
  }
}

/** What is planned until somebody says what: the work that most people begin with. */
export function firstWork(currency: string): PlanRequest {
  const work = new Work();
  work.model = "Llama 3.1 8B";
  work.method = "qlora";
  work.amount = "hours";
  work.hours = "8";
  return work.request(currency);
}
