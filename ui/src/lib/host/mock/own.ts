import type { OwnCardDto, OwnHostDto, OwnHosts } from "../bindings";

function card(index: number, more: Partial<OwnCardDto> = {}): OwnCardDto {
  return {
    index,
    id: `GPU-${index}`,
    name: "NVIDIA H100 80GB HBM3",
    model: "H100 SXM",
    vram_gib: 80,
    divided: false,
    slices: [],
    booked_by: null,
    ...more,
  };
}

const well: OwnHostDto = {
  alias: "rack4",
  health: "ok",
  detail: null,
  checked_at: "2026-11-30T08:58:00Z",
  read_at: "2026-11-30T08:58:00Z",
  host: "10.0.0.4",
  port: 22,
  user: "ops",
  cards: [0, 1, 2, 3, 4, 5, 6, 7].map((index) => card(index, { booked_by: index < 2 ? "train-a" : null })),
  links: "NVLink",
  driver: "570.124.06",
  cuda: "12.8",
  cores: 192,
  ram_gib: 2015.5,
  place: "Rack 4",
  country: "DE",
  seller: "DE",
  owner: "ada",
  cost: {
    currency: "USD",
    price: "240000",
    bought: "2026-01-15",
    resale: "30%@18m",
    resale_assumed: true,
    running: "2128",
    per_month: "11461.33",
    per_hour: "15.700457",
    per_used_hour: "31.400913",
  },
  utilisation: 0.5,
  bookings: [{ rental: "train-a", units: ["GPU-0", "GPU-1"], since: "2026-11-30T07:00:00Z" }],
  on_market: true,
  off_market_why: null,
  added_at: "2026-10-01T09:00:00Z",
};

const slice = (n: number) => ({
  id: `MIG-${n}`,
  profile: "1g.10gb",
  compute_share: 1 / 7,
  memory_gib: 10,
  bandwidth_share: 0.125,
  booked_by: null,
});

/** A server that is well and of which a part is booked. */
export const mockServer = (alias: string): OwnHostDto => ({ ...well, alias });

/** Servers of one's own: one that is well, and one whose driver was updated. */
export function mockHosts(): OwnHosts {
  const ill: OwnHostDto = {
    ...well,
    alias: "lab",
    health: "driver-mismatch",
    detail: "the NVIDIA driver was updated under the running system: it needs a reboot",
    cards: [card(0, { divided: true, slices: [0, 1, 2].map(slice) })],
    links: null,
    place: null,
    cost: { ...well.cost, price: null, per_month: null, per_hour: null, per_used_hour: null },
    utilisation: null,
    bookings: [],
    on_market: false,
    off_market_why: "driver-mismatch: it needs a reboot",
  };
  return { hosts: [ill, well], aliases: ["bastion", "old-box"] };
}
