import type {
  BudgetDto,
  BudgetEffect,
  BudgetRequest,
  BudgetSetRequest,
  SpendDay,
  SpendPage,
  SpendReportRequest,
  SpendRequest,
  SpendRow,
} from "../bindings";
import { added } from "../../spend/chart";
import { before } from "./rentals";

// Money that looks like the real one. The figures are made up; lines sum to the total, days to the lines.

const day = 24 * 60 * 60 * 1000;
const iso = (time: number) => new Date(time).toISOString().slice(0, 10);

function row(key: string, title: string, figures: Partial<SpendRow>): SpendRow {
  const { compute = "0.00", disk = "0.00", disk_stopped = "0.00" } = figures;
  const traffic = figures.traffic ?? { low: "0.00", high: "0.00" };
  const held = [compute, disk, disk_stopped];
  const cents = (amounts: string[]) => Number(added(amounts)).toFixed(2);
  return {
    key,
    title,
    compute,
    disk,
    disk_stopped,
    traffic,
    total: {
      low: cents([...held, traffic.low]),
      high: traffic.high === null ? null : cents([...held, traffic.high]),
    },
    idle_share: 0.04,
    billed: null,
    difference: [],
    rentals: 2,
    partial: false,
    ...figures,
  };
}

const lines: SpendRow[] = [
  row("verda", "Verda", {
    compute: "1204.10",
    disk: "31.20",
    billed: "1237.80",
    difference: [{ kind: "rounding", amount: "2.50" }],
    rentals: 4,
  }),
  row("aws", "AWS", {
    compute: "1081.20",
    disk: "22.00",
    traffic: { low: "9.00", high: "14.00" },
    idle_share: 0.97,
    rentals: 1,
  }),
  row("selectel", "Selectel", {
    compute: "400.51",
    disk: "20.19",
    disk_stopped: "8.20",
    billed: "428.90",
    idle_share: 0.41,
  }),
  row("vast", "Vast.ai", {
    compute: "188.37",
    disk: "9.12",
    traffic: { low: "1.96", high: "1.96" },
    billed: "203.20",
    difference: [
      { kind: "traffic", amount: "4.10" },
      { kind: "unexplained", amount: "-0.35" },
    ],
    idle_share: 0.18,
    rentals: 7,
  }),
  row("runpod", "RunPod", {
    compute: "61.40",
    disk_stopped: "2.10",
    traffic: { low: "0.00", high: null },
    idle_share: null,
    partial: true,
    rentals: 1,
  }),
  row("lambda", "Lambda", { compute: "20.64", rentals: 1, idle_share: 0.02 }),
];

/** One answer for each way to sum: the same money under other names. */
function named(by: string): SpendRow[] {
  const names: Record<string, [key: string, title: string][]> = {
    project: [
      ["llama", "llama"],
      ["", ""],
      ["support-bot", "support-bot"],
      ["demo", "demo"],
      ["evals", "evals"],
      ["clients", "clients"],
    ],
    owner: [
      ["research", "research"],
      ["", ""],
      ["an", "an"],
      ["olga", "olga"],
      ["ci", "ci"],
      ["guest", "guest"],
    ],
    gpu: [
      ["H100 SXM", "H100 SXM"],
      ["A100 80GB", "A100 80GB"],
      ["L40S", "L40S"],
      ["RTX 4090", "RTX 4090"],
      ["RTX A6000", "RTX A6000"],
      ["A10", "A10"],
    ],
    rental: [
      ["train-llama", "train-llama"],
      ["ubuntu-gpu-2", "ubuntu-gpu-2"],
      ["bot-rt", "bot-rt"],
      ["notebook-an", "notebook-an"],
      ["scratch", "scratch"],
      ["eval-7", "eval-7"],
    ],
  };
  const given = names[by];
  return given
    ? lines.map((line, i) => ({ ...line, key: given[i]?.[0] ?? "", title: given[i]?.[1] ?? "" }))
    : lines;
}

function days(rows: SpendRow[], first: number, last: number, now: number): SpendDay[] {
  const all = Math.round((last - first) / day) + 1;
  const past = Math.max(1, Math.min(all, Math.floor((now - first) / day) + 1));
  return Array.from({ length: all }, (_, i) => {
    const amounts = rows.map((line, r) => {
      const share = (0.35 + (((i * 7 + r * 5) % 11) / 11) * 1.3) / past;
      return { key: line.key, amount: (Number(line.total.low) * share).toFixed(4) };
    });
    return {
      date: iso(first + i * day),
      spent: i < past ? amounts.filter((_, r) => r !== 5 || i % 2 === 0) : [],
      to_come: i >= past ? amounts.slice(0, 3) : [],
    };
  });
}

/** Spending of a period. One that is past has no forecast. */
export function mockSpend({ by, from, to, currency }: SpendRequest): SpendPage {
  const now = Date.now();
  const start = from ?? `${iso(now).slice(0, 7)}-01`;
  const [year, month] = [Number(start.slice(0, 4)), Number(start.slice(5, 7))];
  const end = to ?? iso(Date.UTC(year, month, 0));
  const rows = named(by);
  const isPast = Date.parse(end) + day <= now;
  return {
    as_of: before(0),
    currency,
    fx: { source: "CBR", date: "2026-11-27" },
    from: start,
    to: end,
    by,
    rows,
    total: { low: Number(added(rows.map(({ total }) => total.low))).toFixed(2), high: null },
    burning_per_hour: "21.73",
    burning: 5,
    burning_unmanaged: 1,
    blind: [],
    forecast: isPast ? null : { low: "3310", high: "3690" },
    days: days(rows, Date.parse(start), Date.parse(end), now),
    waste: [
      {
        kind: "unmanaged",
        name: "ubuntu-gpu-2",
        rental: null,
        account: "vast",
        remote_id: "19881100",
        amount: "1081.20",
        per_month: "2993",
        hours: 264,
        since: before(264 * 3600),
        remedy: "unmanaged",
      },
      {
        kind: "idle",
        name: "notebook-an",
        rental: "01jd-notebook-an",
        account: null,
        remote_id: null,
        amount: "146.02",
        per_month: null,
        hours: 83,
        since: null,
        remedy: "lease",
      },
      {
        kind: "idle",
        name: "train-llama",
        rental: "01jd-train-llama",
        account: null,
        remote_id: null,
        amount: "30.80",
        per_month: "0",
        hours: 2,
        since: null,
        remedy: "stop",
      },
      {
        kind: "stopped-disk",
        name: "scratch",
        rental: "01jd-scratch",
        account: null,
        remote_id: null,
        amount: null,
        per_month: "12.40",
        hours: 48,
        since: before(48 * 3600),
        remedy: "end",
      },
    ],
    waste_total: "1258.02",
    savings: [
      {
        kind: "spot",
        name: "train-llama",
        rental: "01jd-train-llama",
        offer: "vast:0",
        title: "8× H100 SXM · Vast.ai CZ",
        amount: "312",
        hours: 71,
        risks: ["taken-back", "shared-host", "other-country"],
      },
    ],
    fx_later: [],
    unconverted: [{ currency: "CNY", amount: "120.00" }],
  };
}

/** Nothing was spent yet. */
export function mockNothing(request: SpendRequest): SpendPage {
  const page = mockSpend(request);
  return {
    ...page,
    rows: [],
    total: { low: "0.00", high: "0.00" },
    burning_per_hour: "0",
    burning: 0,
    burning_unmanaged: 0,
    blind: [],
    forecast: { low: "0.00", high: "0.00" },
    days: page.days.map(({ date }) => ({ date, spent: [], to_come: [] })),
    waste: [],
    waste_total: "0.00",
    savings: [],
    unconverted: [],
  };
}

/** A budget that was just set. */
export function mockBudget(request: Partial<BudgetSetRequest>, more: Partial<BudgetDto> = {}): BudgetDto {
  const month = iso(Date.now()).slice(0, 7);
  return {
    name: "team",
    scope: "team",
    of: "",
    period: "month",
    amount: "3400",
    currency: "USD",
    thresholds: [50, 80, 100],
    hard: "tell",
    ...request,
    from: `${month}-01`,
    to: iso(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)),
    spent: "0",
    share: 0,
    forecast: null,
    used_up: null,
    ...more,
  };
}

export function mockBudgets(): BudgetDto[] {
  const month = iso(Date.now()).slice(0, 7);
  return [
    mockBudget(
      {},
      {
        spent: "2980",
        share: 0.876,
        forecast: { low: "3310", high: "3690" },
        used_up: `${month}-27`,
      },
    ),
    mockBudget(
      { name: "research", scope: "owner", of: "research", amount: "2000" },
      { spent: "1388", share: 0.694, forecast: { low: "1710", high: "1820" } },
    ),
    mockBudget(
      {
        name: "support-bot",
        scope: "project",
        of: "support-bot",
        amount: "40000",
        currency: "RUB",
        hard: "block",
      },
      { spent: "41360", share: 1.034 },
    ),
    mockBudget(
      { name: "evals", scope: "project", of: "evals", period: "week", amount: "300" },
      { spent: "61", share: 0.203 },
    ),
    mockBudget(
      { name: "partners", scope: "project", of: "clients", currency: "CNY" },
      { spent: null, share: null },
    ),
  ];
}

/** What so many dollars more do to budgets of the team and of a project. */
export function mockEffects(budgets: BudgetDto[], project: string | null, cost: number): BudgetEffect[] {
  return budgets
    .filter(({ scope, of }) => scope === "team" || (scope === "project" && of === project))
    .map(({ name, amount, currency, spent, hard }) => {
      const after = spent === null ? null : Number(spent) + cost;
      const passes = after !== null && after > Number(amount);
      return {
        name,
        amount,
        currency,
        before: spent,
        after: after === null ? null : after.toFixed(2),
        passes,
        blocks: passes && hard === "block",
      };
    });
}

/** Budgets that can be set, and reports of nothing. */
export function mockMoney(host: () => { budgets: BudgetDto[] }) {
  const without = (gone: string) => host().budgets.filter(({ name }) => name !== gone);
  return {
    spend_report: ({ form }: SpendReportRequest) => ({ path: `/home/someone/gpudesk-spend-2026-11.${form}` }),
    budgets_list: () => host().budgets,
    budget_set: (request: BudgetSetRequest) =>
      (host().budgets = [...without(request.name), mockBudget(request)]),
    budget_remove: ({ name }: BudgetRequest) => (host().budgets = without(name)),
  };
}
