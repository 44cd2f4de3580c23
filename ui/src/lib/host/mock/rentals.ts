import type {
  Account,
  AccountProvider,
  Accounts,
  EventDto,
  LaunchSheet,
  OfferDto,
  RentalDetails,
  RentalDto,
  RentalsPage,
  Ring,
  StopTruth,
  UnmanagedDto,
} from "../bindings";

// Rentals that look like the real ones, for tests and for work on the looks. The figures are made up; the shapes are
// the desk's. Times are told from now, so that spans on the screen are the same in every run.

const minute = 60;
const hour = 60 * minute;

/** RFC 3339 of so many seconds before now; negative for what is to come. */
export function before(seconds: number): string {
  return new Date(Date.now() - seconds * 1000).toISOString();
}

/** A cloud that can be rented at; its offers are read. */
export function mockProvider(
  provider: string,
  title: string,
  more: Partial<AccountProvider> = {},
): AccountProvider {
  return {
    provider,
    title,
    needs: "",
    key_page: `https://${provider}.example/keys`,
    fields: [],
    scopes: [],
    can: ["offers", "watch", "rent", "stop", "balance"],
    offers_need_key: false,
    rates: [],
    health: {
      state: "ok",
      refreshed_at: before(2 * minute),
      age_s: 2 * minute,
      offers: 402,
      rows_read: 442,
      rows_not_gpu: 31,
      quarantined: 9,
      rate_limited: false,
      error: null,
    },
    ...more,
  };
}

export const mockProviders: AccountProvider[] = [
  mockProvider("vast", "Vast.ai", {
    needs: "instance_write, user_read",
    key_page: "https://cloud.vast.ai/manage-keys/",
  }),
  mockProvider("runpod", "RunPod", {
    needs: "Read/Write",
    key_page: "https://console.runpod.io/user/settings",
  }),
  mockProvider("lambda", "Lambda", {
    needs: "any key",
    key_page: "https://cloud.lambda.ai/api-keys",
    can: ["offers", "watch", "rent"],
    offers_need_key: true,
    health: {
      state: "needs-account",
      refreshed_at: null,
      age_s: null,
      offers: 0,
      rows_read: 0,
      rows_not_gpu: 0,
      quarantined: 0,
      rate_limited: false,
      error: null,
    },
  }),
  mockProvider("verda", "Verda", {
    needs: "Cloud API credentials",
    key_page: "https://console.verda.example/keys",
    fields: [
      { name: "client_id", title: "Client ID", secret: false, required: true, example: "" },
      { name: "client_secret", title: "Client secret", secret: true, required: true, example: "" },
      { name: "project", title: "Project", secret: false, required: false, example: "default" },
    ],
  }),
];

export function mockAccount(provider: string, more: Partial<Account> = {}): Account {
  const known = mockProviders.find((one) => one.provider === provider);
  return {
    name: provider,
    provider,
    title: known?.title ?? provider,
    alias: "",
    key_in: "keyring",
    state: "ok",
    who: "someone@example.com",
    balance: "42.17",
    currency: "USD",
    spend_limit_per_hour: null,
    rights: "read-write",
    needs: known?.needs ?? "",
    key_page: known?.key_page ?? "",
    can: known?.can ?? [],
    missing: [],
    rate_limited: false,
    remarks: [],
    checked_at: before(3 * minute),
    error: null,
    address: "",
    proxy: "",
    ca_file: "",
    ...more,
  };
}

export function mockAccounts(accounts: Account[]): Accounts {
  return {
    accounts,
    providers: mockProviders,
    keyring: { works: true, name: "Secret Service", problem: null, instead: null },
  };
}

const keepsDisk: StopTruth = {
  exists: true,
  ends_compute: true,
  keeps_disk: true,
  disk_per_month: "12.40",
  currency: "USD",
  start_may_wait: true,
};

const noStop: StopTruth = {
  exists: false,
  ends_compute: false,
  keeps_disk: null,
  disk_per_month: null,
  currency: "USD",
  start_may_wait: false,
};

function ring(which: string, on: boolean, code: string, why: string): Ring {
  return { ring: which, on, code, why };
}

const onlyDesk: Ring[] = [
  ring("provider", false, "provider-none", "Vast.ai has no timer"),
  ring("box", false, "box-later", "not in this version"),
  ring("desk", true, "desk-guards", "watches and acts"),
];

const withTimer: Ring[] = [
  ring("provider", true, "armed", "armed"),
  ring("box", false, "box-later", "not in this version"),
  ring("desk", true, "desk-guards", "watches and acts"),
];

const live = ["connect", "stop", "end", "extend"];

/** A rental of ours. */
export function mockRental(more: Partial<RentalDto> = {}): RentalDto {
  const name = more.name ?? "train-llama";
  return {
    id: `01jd-${name}`,
    name,
    provider: "vast",
    provider_title: "Vast.ai",
    account: "vast",
    remote_id: "20941234",
    state: "ready",
    state_since: before(5 * hour + 9 * minute + 30),
    reason: null,
    provider_word: "running",
    token: "gpudesk-01jd",
    offer: null,
    title: "8× H100 SXM · Vast.ai CZ",
    place: null,
    policy: null,
    owner: "research",
    project: "llama",
    ssh: {
      host: "203.0.113.7",
      port: 40_122,
      user: "root",
      alias: `gpudesk-${name}`,
      fingerprint: "SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8",
      proxy: false,
    },
    requested_at: before(5 * hour + 12 * minute + 30),
    ready_at: before(5 * hour + 9 * minute + 30),
    ended_at: null,
    ends_at: null,
    rate: { per_hour: "15.92", currency: "USD" },
    cost_so_far: {
      amount: "83.19",
      currency: "USD",
      parts: { compute: "82.78", storage: "0.41" },
      unknown: [],
    },
    verified: { ok: true, differs: [], unknown: ["region"] },
    lease: {
      until: before(-(2 * hour + 48 * minute + 30)),
      max_spend: null,
      idle_minutes: null,
      on_expiry: "stop",
    },
    rings: onlyDesk,
    activity: { state: "working", minutes: 0, why: "gpu", acts_at: null },
    actions: live,
    stop: keepsDisk,
    notices: [],
    usage: {
      at: before(20),
      gpus: Array.from({ length: 2 }, (_, index) => ({
        index,
        name: "NVIDIA H100 80GB HBM3",
        util_percent: 91 - index,
        memory_used_mib: 71_204,
        memory_total_mib: 81_559,
        power_w: 612.4,
        temperature_c: 61,
      })),
      // A program on two cards stands in the list twice.
      processes: [70_120, 69_880].map((memory_mib) => ({ pid: 4121, name: "python train.py", memory_mib })),
      problem: null,
      last_hour: Array.from({ length: 60 }, (_, i) => (i < 5 ? null : 84 + ((i * 7) % 11))),
    },
    usual_boot_s: [150, 300],
    over: false,
    ...more,
  };
}

/** What runs, in every state a person meets. */
export function mockRentals(): RentalDto[] {
  return [
    mockRental(),
    mockRental({
      name: "notebook-an",
      id: "01jd-notebook-an",
      provider: "runpod",
      provider_title: "RunPod",
      account: "runpod",
      title: "1× RTX 4090 · RunPod SE",
      requested_at: before(3 * hour + 20 * minute),
      state_since: before(3 * hour + 18 * minute),
      rate: { per_hour: "0.42", currency: "USD" },
      cost_so_far: { amount: "1.41", currency: "USD", parts: { compute: "1.41" }, unknown: ["storage"] },
      lease: {
        until: before(-(18 * minute + 30)),
        max_spend: "5",
        idle_minutes: 30,
        on_expiry: "end",
      },
      rings: withTimer,
      activity: { state: "idle", minutes: 22, why: "quiet", acts_at: before(-(8 * minute + 30)) },
      owner: "an",
      project: null,
      verified: {
        ok: false,
        differs: [{ what: "vram", offered: "24 GiB", found: "16 GiB" }],
        unknown: [],
      },
      notices: [
        {
          code: "price-rise",
          text: "The host wants 0.48 an hour from 2026-12-01T00:00:00Z on.",
          weight: "warn",
          figures: { per_hour: "0.48", currency: "USD", at: "2026-12-01T00:00:00Z" },
        },
      ],
    }),
    mockRental({
      name: "eval-7",
      id: "01jd-eval-7",
      provider: "lambda",
      provider_title: "Lambda",
      account: "lambda",
      title: "2× A100 80GB · Lambda US",
      state: "booting",
      state_since: before(100),
      requested_at: before(130),
      ready_at: null,
      provider_word: "booting",
      ssh: null,
      usage: null,
      activity: null,
      verified: null,
      rate: { per_hour: "2.58", currency: "USD" },
      cost_so_far: { amount: "0.07", currency: "USD", parts: { compute: "0.07" }, unknown: [] },
      actions: ["end"],
      stop: noStop,
      rings: [ring("provider", false, "provider-none", "none"), ...onlyDesk.slice(1)],
      owner: null,
    }),
    mockRental({
      name: "scratch",
      id: "01jd-scratch",
      title: "1× RTX A6000 · Vast.ai SE",
      state: "stopped",
      state_since: before(2 * 24 * hour),
      requested_at: before(6 * 24 * hour),
      usage: null,
      activity: null,
      ssh: null,
      rate: { per_hour: "0.03", currency: "USD" },
      cost_so_far: {
        amount: "4.10",
        currency: "USD",
        parts: { compute: "2.66", "storage-stopped": "1.44" },
        unknown: [],
      },
      actions: ["start", "end", "extend"],
      owner: null,
      project: null,
    }),
  ];
}

export function mockUnmanaged(more: Partial<UnmanagedDto> = {}): UnmanagedDto {
  return {
    account: "vast",
    provider_title: "Vast.ai",
    remote_id: "19881100",
    name: "ubuntu-gpu-2",
    title: "1× A100 80GB · Vast.ai US",
    state: "running",
    created_at: before(11 * 24 * hour),
    per_hour: "4.10",
    currency: "USD",
    at_most: "1082.40",
    ignored: false,
    marked: false,
    ...more,
  };
}

export function mockPage(rentals: RentalDto[], unmanaged: UnmanagedDto[]): RentalsPage {
  const burning = rentals.filter((rental) => !rental.over);
  const sum = [...burning.map((one) => one.rate.per_hour), ...unmanaged.map((one) => one.per_hour)].reduce(
    (total, rate) => total + Number(rate ?? 0),
    0,
  );
  return {
    rentals,
    unmanaged,
    burning_machines: burning.length + unmanaged.length,
    burning_usd: sum.toFixed(2),
    burning_unknown: 0,
    blind: [],
    reconciled_at: before(20),
  };
}

/** The story of a rental that went well. */
export function mockEvents(rental: RentalDto): EventDto[] {
  const start = (Date.now() - new Date(rental.requested_at).getTime()) / 1000;
  const event = (
    seconds: number,
    name: string,
    figures: Record<string, unknown>,
    weight = "note",
  ): EventDto => ({ at: before(start - seconds), event: name, text: `${name} (English)`, weight, figures });
  return [
    event(0, "requested", { per_hour: rental.rate.per_hour }),
    event(1, "launch-sent", { attempt: 1 }),
    event(3, "placed", { remote_id: "20941234", found: false }, "good"),
    event(60, "seen", { state: "booting", word: "loading", detail: "image 61 %" }),
    event(140, "address", { ssh: { host: "203.0.113.7", port: 40_122, user: "root" } }),
    event(171, "answered", {}, "good"),
    event(171, "host-key", { fingerprint: rental.ssh?.fingerprint, replaced: false }),
    event(176, "verified", { verification: { ok: true, differs: [], unknown: [] } }, "good"),
  ];
}

export function mockDetails(rental: RentalDto): RentalDetails {
  return {
    rental,
    events: rental.state === "booting" ? mockEvents(rental).slice(0, 4) : mockEvents(rental),
    intervals: [
      {
        kind: "compute",
        from: rental.requested_at,
        to: null,
        per_hour: rental.rate.per_hour,
        amount: rental.cost_so_far.parts.compute ?? null,
      },
    ],
    forwards: [],
    copies: [],
    receipt: rental.over ? `# ${rental.name}\n\nCompute 5 h 12 min: $82.78\n` : null,
  };
}

export function mockSheet(offer: OfferDto, accounts: Account[], hours: number): LaunchSheet {
  const price = Number(offer.price.per_hour);
  return {
    offer,
    booking: offer.source === "own",
    accounts: accounts.filter((account) => account.provider === offer.provider),
    name: "calm-otter",
    ssh_keys: [
      {
        id: "file:id_ed25519.pub",
        source: "file",
        title: "~/.ssh/id_ed25519.pub",
        kind: "ssh-ed25519",
        fingerprint: "SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8",
        problem: null,
      },
      { id: "new", source: "new", title: "", kind: "", fingerprint: "", problem: null },
    ],
    images: [
      { id: "nvidia/cuda:12.8.1-devel-ubuntu24.04", title: "CUDA 12.8, Ubuntu 24.04", kind: "cuda" },
      { id: "pytorch/pytorch:2.8.0-cuda12.8", title: "PyTorch 2.8", kind: "pytorch" },
    ],
    any_image: true,
    disk: { least: 10, usual: 50, most: 812 },
    owners: ["research"],
    projects: ["llama"],
    cost: {
      low: (price * hours).toFixed(2),
      high: (price * hours + 0.6).toFixed(2),
      currency: "USD",
      unknown: [],
    },
    on_expiry: "stop",
    stop: keepsDisk,
    rings: onlyDesk,
    survives_closed_laptop: false,
    remarks: [{ code: "shared-host", text: "The host is shared.", weight: "note", figures: {} }],
    policy: null,
    evidence: [],
  };
}
