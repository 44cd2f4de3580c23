import type {
  Account,
  BudgetDto,
  Event,
  GroupsPage,
  MarketPage,
  MarketPageRequest,
  MarketView,
  NoticeSettings,
  OfferDetails,
  OfferRow,
  OwnHosts,
  Policies,
  RentalDto,
  Settings,
  SourceStatus,
  UnmanagedDto,
  Watch,
} from "../bindings";
import { HostError, type Command, type Host, type Request, type Response } from "../host";
import { group, priced, sorted } from "./board";
import { mockBuy } from "./buy";
import { mockMarket } from "./market";
import { mockKept, mockPolicies, mockVerdicts } from "./policies";
import { mockEdit, mockFacets, mockMatches, mockParse } from "./query";
import {
  before,
  mockAccount,
  mockAccounts,
  mockDetails,
  mockPage,
  mockRental,
  mockRentals,
  mockSheet,
  mockUnmanaged,
} from "./rentals";
import { mockNotices, mockTellers } from "./notices";
import { mockHosts, mockServer } from "./own";
import { mockPlans } from "./plan";
import { mockSources } from "./sources";
import { mockBudgets, mockEffects, mockMoney, mockNothing, mockSpend } from "./spend";
import { mockTerminals } from "./terminals";

/** What a test can set and see. */
export interface MockHost extends Host {
  /** Every command asked, in order. */
  asked: { command: Command; request: unknown }[];
  /** Sends an event. */
  tell(event: Event): void;
  /** Replaces the answer to a command. */
  answer<K extends Command>(
    command: K,
    answer: (request: Request<K>) => Promise<Response<K>> | Response<K>,
  ): void;
  settings: Settings;
  sources: SourceStatus[];
  board: number;
  accounts: Account[];
  rentals: RentalDto[];
  unmanaged: UnmanagedDto[];
  policies: Policies;
  own: OwnHosts;
  budgets: BudgetDto[];
  notices: NoticeSettings;
  practice: boolean;
}

const settings: Settings = {
  theme: "system",
  language: "en",
  currency: "USD",
  job: null,
  density: "normal",
  welcomed: true,
  auto_refresh: true,
  proxy: "",
  ca_file: "",
  catalogue_url: "",
  lease: { hours: 8, idle_minutes: null, on_expiry: null, part_s: 60 },
  columns: [],
  compare: [],
  last_view: null,
  last_plan: null,
  last_buy: null,
  facets_folded: false,
  details_folded: false,
};

const asOf = "2026-11-30T09:00:00Z";

/** A desk in the page itself, with a made-up market. For tests and for work on the looks; never built in. */
export function mockHost({ rows = 12_480, machines = true } = {}): MockHost {
  const market = mockMarket(rows);
  const heard = new Set<(event: Event) => void>();
  const replaced = new Map<Command, (request: never) => unknown>();
  let watches: Watch[] = [];

  const read = (request: MarketPageRequest) => {
    const { error } = mockParse(request.view.line);
    if (error)
      throw new HostError({
        code: "query-invalid",
        what: "query",
        detail: error.message,
        hint: null,
        line: error,
      });
    return sorted(
      mockMatches(market, request.view.line).map((row) => priced(row, request.view)),
      request.view,
    );
  };
  const page = (request: MarketPageRequest): MarketPage => {
    const all = read(request);
    return {
      board: host.board,
      as_of: asOf,
      currency: request.view.currency,
      fx: { source: "ECB", date: "2026-11-27" },
      total: all.length,
      all: market.length,
      clouds: new Set(all.map((row) => row.offer.cloud)).size,
      quarantined: 12,
      took_ms: 3.7,
      rows: all.slice(request.offset, request.offset + request.limit),
      facets: request.facets ? mockFacets(market, request.view.line) : [],
      max_vram_total_gib: 1536,
      max_bandwidth_gb_s: 8000,
      policies: request.facets ? mockKept(market, request.view.line) : [],
    };
  };
  const groups = (request: MarketPageRequest): GroupsPage => {
    const found = read(request);
    const names = [...new Set(found.map((row) => row.gpu_title))];
    return {
      board: host.board,
      as_of: asOf,
      currency: request.view.currency,
      fx: null,
      total: found.length,
      all: market.length,
      took_ms: 1.2,
      groups: names
        .map((name) =>
          group(
            found.filter((row) => row.gpu_title === name),
            name,
          ),
        )
        .sort((a, b) => Number(a.from) - Number(b.from)),
      facets: request.facets ? mockFacets(market, request.view.line) : [],
      policies: request.facets ? mockKept(market, request.view.line) : [],
    };
  };
  const details = (id: string, view: Pick<MarketView, "job">): OfferDetails => {
    const found = market.find((row) => row.offer.id === id);
    if (!found)
      throw new HostError({
        code: "not-found",
        what: `offer ${id}`,
        detail: "it is no longer offered",
        hint: null,
        line: null,
      });
    const row = priced(found, view);
    const live = row.offer.source === "live";
    return {
      row,
      city: live ? null : "Helsinki",
      memory_type: "HBM3",
      architecture: "Hopper",
      tdp_w: 700,
      quarantine: null,
      origin: live ? `${row.provider_title}, live` : `${row.provider_title} price list, 2026-06-18`,
      command: `gpudesk compare ${id}`,
      parts: row.offer.total?.parts ?? null,
      policies: mockVerdicts(row.offer),
      history: live
        ? [18, 17.2, 16.9, 15.92].map((price, i) => ({
            at: `2026-11-0${i * 2 + 1}T10:00:00Z`,
            per_hour: String(price),
            currency: "USD",
          }))
        : [],
    };
  };

  const rental = (name: string): RentalDto => {
    const found = host.rentals.find((one) => one.id === name || one.name === name);
    if (!found)
      throw new HostError({
        code: "not-found",
        what: `rental ${name}`,
        detail: "there is none",
        hint: null,
        line: null,
      });
    return found;
  };
  const changed = (name: string, change: Partial<RentalDto>): RentalDto => {
    const { id } = rental(name);
    host.rentals = host.rentals.map((one) => (one.id === id ? { ...one, ...change } : one));
    return rental(id);
  };

  const answers: { [K in Command]?: (request: Request<K>) => unknown } = {
    market_page: page,
    market_groups: groups,
    query_parse: ({ line }) => mockParse(line),
    query_edit: ({ line, edit }) => mockEdit(line, edit),
    offer_details: (request) => details(request.id, request),
    offers_compare: (request) => {
      const columns = request.ids
        .flatMap((id) => market.filter((row) => row.offer.id === id))
        .map((row) => priced(row, request));
      const line = (key: string, value: (row: OfferRow) => string | null, best: number[] = []) => {
        const values = columns.map(value);
        return { key, values, differs: new Set(values).size > 1, best };
      };
      const cheapest = columns.map((row) => Number(row.per_gpu_hour));
      return {
        as_of: asOf,
        currency: request.currency,
        fx: null,
        columns,
        gone: request.ids.filter((id) => !market.some((row) => row.offer.id === id)),
        lines: [
          line("per_gpu_hour", (row) => row.per_gpu_hour, [cheapest.indexOf(Math.min(...cheapest))]),
          line("vram_gib", (row) => String(row.offer.gpu.vram_gib)),
          line("link", (row) => row.offer.gpu.link),
          line("fabric", (row) => row.offer.fabric),
          line("country", (row) => row.offer.place.country),
          line("source", (row) => row.offer.source),
        ],
      };
    },
    offers_copy: ({ ids, format }) => ({
      text: `${format}: ${ids.length === 0 ? "all" : ids.join(" ")}`,
      rows: ids.length || rows,
    }),
    sources_list: () => host.sources,
    sources_refresh: () => ({ feeds: [] }),
    quarantine_list: () => ({
      total: 1,
      rows: [
        {
          feed: "catalogue/aws",
          code: "price-impossible",
          detail: "price is 0",
          origin: "aws.csv line 1841",
          offer: market[0]?.offer ?? null,
        },
      ],
    }),
    settings_get: () => host.settings,
    settings_set: (next) => (host.settings = next),
    rates_get: () => ({
      sheets: [{ source: "ECB", date: "2026-11-27" }],
      currencies: ["EUR", "GBP", "RUB", "USD"],
    }),
    watches_list: () => watches,
    watch_add: ({ line }) =>
      (watches = [
        ...watches,
        { id: watches.length + 1, line, created_at: asOf, best_usd: "1.9", matches: 3, told_at: null },
      ]),
    watch_remove: ({ id }) => (watches = watches.filter((watch) => watch.id !== id)),
    accounts_list: () => mockAccounts(host.accounts),
    account_add: ({ provider, alias }) => {
      const name = alias === "" ? provider : `${provider}/${alias}`;
      host.accounts = [...host.accounts, mockAccount(provider, { name, alias })];
      return mockAccounts(host.accounts);
    },
    account_check: () => mockAccounts(host.accounts),
    account_remove: ({ name }) => {
      host.accounts = host.accounts.filter((account) => account.name !== name);
      return mockAccounts(host.accounts);
    },
    launch_sheet: ({ offer, hours, project }) => {
      const shown = details(offer, { job: null }).row.offer;
      const under = host.policies.projects.find((one) => one.project === (project ?? ""));
      const policy = mockVerdicts(shown).find((one) => one.policy === under?.policy) ?? null;
      return { ...mockSheet(shown, host.accounts, hours), policy };
    },
    offer_end: () => ({ ends_at: null }),
    hosts_list: () => host.own,
    hosts_check: () => host.own,
    host_add: (request) => {
      const hosts = [...host.own.hosts, mockServer(request.alias)];
      return (host.own = { hosts, aliases: host.own.aliases.filter((one) => one !== request.alias) });
    },
    host_remove: ({ alias }) =>
      (host.own = { ...host.own, hosts: host.own.hosts.filter((one) => one.alias !== alias) }),
    policies_list: () => host.policies,
    policy_set: (request) => {
      const others = host.policies.policies.filter((one) => one.name !== request.name);
      const policies = [...others, { ...request, built_in: false }];
      return (host.policies = { ...host.policies, policies });
    },
    policy_remove: ({ name }) => {
      const policies = host.policies.policies.filter((one) => one.name !== name);
      return (host.policies = { ...host.policies, policies });
    },
    project_policy_set: ({ project, policy }) => {
      const others = host.policies.projects.filter((one) => one.project !== project);
      const projects = policy === null ? others : [...others, { project, policy }];
      return (host.policies = { ...host.policies, projects });
    },
    launch: ({ offer, name }) => {
      const row = details(offer, { job: null }).row;
      const made = mockRental({
        id: `01jd-${name || "calm-otter"}`,
        name: name || "calm-otter",
        title: `${row.offer.gpu.count}× ${row.gpu_title} · ${row.provider_title}`,
        state: "requested",
        state_since: before(0),
        requested_at: before(0),
        ssh: null,
        usage: null,
        verified: null,
        actions: ["end"],
      });
      host.rentals = [made, ...host.rentals];
      return { outcome: "requested", rental: made };
    },
    rentals_list: ({ all }) =>
      mockPage(
        host.rentals.filter((one) => all || !one.over),
        host.unmanaged,
      ),
    rental_get: ({ rental: name }) => mockDetails(rental(name)),
    rental_stop: ({ rental: name }) =>
      changed(name, { state: "stopped", state_since: before(0), actions: ["start", "end"], usage: null }),
    rental_start: ({ rental: name }) =>
      changed(name, { state: "starting", state_since: before(0), actions: ["end"] }),
    rental_end_checklist: ({ rental: name }) => ({
      rental: rental(name),
      running: [
        {
          code: "gpu-process",
          text: "On the cards: python train.py.",
          weight: "warn",
          figures: { program: "python train.py" },
        },
      ],
      fate: [{ code: "disk-goes", text: "The disk and all on it go.", weight: "note", figures: {} }],
      leftovers: [
        {
          what: "volume",
          remote_id: "v-1",
          name: "datasets",
          size_gb: "500",
          per_month: "35",
          currency: "USD",
        },
      ],
      asked: null,
    }),
    rental_end: ({ rental: name }) =>
      changed(name, { state: "ended", state_since: before(0), actions: [], over: true }),
    rental_extend: ({ rental: name, hours }) => {
      const { lease } = rental(name);
      const until = new Date(new Date(lease.until ?? before(0)).getTime() + hours * 3_600_000);
      return changed(name, { lease: { ...lease, until: until.toISOString() } });
    },
    rental_lease_set: ({ rental: name, ...lease }) => changed(name, { lease }),
    rental_keep: ({ rental: name }) =>
      changed(name, { activity: { state: "working", minutes: 0, why: "human", acts_at: null } }),
    spend_page: (request) => (machines ? mockSpend(request) : mockNothing(request)),
    budget_effect: ({ offer, project, hours }) => {
      const { price } = details(offer, { job: null }).row.offer;
      return mockEffects(host.budgets, project, Number(price.per_hour) * (hours ?? 8));
    },
    unmanaged_act: ({ remote_id, action, name }) => {
      if (action === "adopt")
        host.rentals = [...host.rentals, mockRental({ id: remote_id, name: name || "adopted" })];
      host.unmanaged = host.unmanaged
        .filter((one) => one.remote_id !== remote_id || action === "ignore" || action === "show")
        .map((one) => (one.remote_id === remote_id ? { ...one, ignored: action === "ignore" } : one));
      return mockPage(host.rentals, host.unmanaged);
    },
    reconcile: () => ({ complete: ["vast"], blind: [], found: [], lost: [], unmanaged: host.unmanaged }),
    ...mockBuy(),
    ...mockPlans(market),
    ...mockTerminals(),
    ...mockMoney(() => host),
    ...mockTellers(() => host),
    open_in: ({ rental: name }) => ({ program: null, command: `ssh ${rental(name).ssh?.alias ?? name}` }),
    forwards_list: () => [],
    forward_open: ({ rental: name, remote_port, preset }) => ({
      id: 1,
      rental: rental(name).id,
      remote_port,
      local_port: 41_000,
      preset,
      state: "open",
      url: "http://127.0.0.1:41000/",
      problem: null,
    }),
    forward_close: () => [],
    copy_start: ({ rental: name, direction, local }) => ({
      id: 1,
      rental: rental(name).id,
      direction,
      title: local.join(" "),
      state: "running",
      percent: null,
      line: "",
      problem: null,
    }),
    ssh_include: ({ action }) => ({
      file: "~/.ssh/config",
      line: 'Include "~/.local/share/gpudesk/ssh/config"',
      there: action === "add",
      problem: null,
    }),
    host_key_accept: ({ rental: name }) => rental(name),
    practice_get: () => ({ on: host.practice, problem: null }),
    practice_set: ({ on }) => {
      host.practice = on;
      host.tell({ kind: "practice_changed", on });
      return { on, problem: null };
    },
    diagnostics_get: () => ({
      version: "0.1.0",
      platform: "linux x86_64",
      home: "/home/someone/.local/share/gpudesk",
      database: "gpudesk.db",
      database_bytes: 18_400_000,
      schema: 1,
      offers: rows,
      board_bytes: 9_100_000,
      ssh: "OpenSSH 9.2",
      overrides: [],
    }),
  };

  const host: MockHost = {
    asked: [],
    board: 1,
    settings: { ...settings },
    sources: mockSources(),
    accounts: machines ? ["vast", "runpod", "lambda"].map((provider) => mockAccount(provider)) : [],
    rentals: machines ? mockRentals() : [],
    unmanaged: machines ? [mockUnmanaged()] : [],
    policies: mockPolicies(),
    own: mockHosts(),
    budgets: machines ? mockBudgets() : [],
    notices: mockNotices(),
    practice: false,
    async call(command, request) {
      host.asked.push({ command, request });
      const answer = replaced.get(command) ?? answers[command];
      if (!answer)
        throw new HostError({
          code: "not-found",
          what: command,
          detail: "no such command",
          hint: null,
          line: null,
        });
      return (await answer(request as never)) as never;
    },
    listen(listener) {
      heard.add(listener);
      return () => heard.delete(listener);
    },
    tell(event) {
      for (const listener of heard) listener(event);
    },
    answer(command, answer) {
      replaced.set(command, answer as never);
    },
  };
  return host;
}
