// Generated from the api crate by `make bindings`. Do not edit.

export type OfferDto = { 
/**
 * Stable id, starts with the provider.
 */
id: string, 
/**
 * Whose account is billed.
 */
provider: string, 
/**
 * Whose iron it is.
 */
cloud: string, 
/**
 * `live`, `catalogue` or `own`.
 */
source: string, 
/**
 * The provider's own name of it.
 */
name: string, 
/**
 * `vm`, `bare-metal`, `container`, `cluster`, `fraction`, `serverless`, `own`.
 */
form: string, 
/**
 * `dedicated-host`, `vm`, `shared-host` or null.
 */
isolation: string | null, 
/**
 * The cards.
 */
gpu: GpuDto, 
/**
 * Network between boxes.
 */
fabric: string | null, 
/**
 * Virtual CPUs of the whole offer.
 */
vcpu: number | null, 
/**
 * Memory of the whole offer, GiB.
 */
ram_gib: number | null, 
/**
 * Disk, GB.
 */
disk: DiskDto, 
/**
 * Network, Mbit/s.
 */
net: NetDto, 
/**
 * Driver version.
 */
driver: string | null, 
/**
 * Highest CUDA version.
 */
cuda: string | null, 
/**
 * Share of time up, 0 to 1.
 */
reliability: number | null, 
/**
 * Verified by the marketplace.
 */
verified: boolean | null, 
/**
 * Whether it stands in a data centre, where the marketplace tells that apart from private hosts.
 */
datacenter: boolean | null, 
/**
 * Where and under whose law.
 */
place: PlaceDto, 
/**
 * What it costs.
 */
price: PriceDto, 
/**
 * The job's total: absent without a job, null where no total can be given (no rate to USD).
 */
total?: TotalDto | null, 
/**
 * Stock.
 */
supply: SupplyDto, 
/**
 * RFC 3339; when its source last said so.
 */
seen_at: string, 
/**
 * `price-suspect`, `vram-contradicts-model`, `country-unknown`, `stale`, `model-unknown`, `duplicate-of:ID`.
 */
flags: Array<string>, 
/**
 * Whether it can be rented from here. Where it cannot, a person rents it at the provider itself.
 */
rentable: boolean, 
/**
 * The page to rent it at by hand; null where it can be rented from here, or no page is known.
 */
rent_page: string | null, };

export type GpuDto = { 
/**
 * Canonical model, or the family where the variant is not said, or null for an unknown card.
 */
model: string | null, 
/**
 * `NVIDIA`, `AMD`, `Intel`, …
 */
vendor: string | null, 
/**
 * Cards.
 */
count: number, 
/**
 * Share of one card for a slice.
 */
fraction: number | null, 
/**
 * VRAM of one card, GiB.
 */
vram_gib: number | null, 
/**
 * VRAM of all cards, GiB.
 */
vram_total_gib: number | null, 
/**
 * Memory bandwidth of one card, GB/s.
 */
bandwidth_gb_s: number | null, 
/**
 * Dense BF16 TFLOPS of one card.
 */
bf16_tflops: number | null, 
/**
 * Link between the cards of the box.
 */
link: string | null, 
/**
 * Its speed per card, both directions, GB/s.
 */
link_gb_s: number | null, 
/**
 * The provider's own spelling.
 */
raw_name: string, };

export type DiskDto = { 
/**
 * Inside the price.
 */
included_gb: number | null, 
/**
 * The most that can be had.
 */
max_gb: number | null, };

export type NetDto = { 
/**
 * Towards the machine.
 */
down_mbit_s: number | null, 
/**
 * From the machine.
 */
up_mbit_s: number | null, };

export type PlaceDto = { 
/**
 * The provider's name of the place.
 */
region: string | null, 
/**
 * ISO 3166-1 alpha-2.
 */
country: string | null, 
/**
 * Residency zones of the country.
 */
zones: Array<string>, 
/**
 * Country of the company that bills.
 */
seller: string | null, };

export type PriceDto = { 
/**
 * `on-demand`, `spot`, `reserved`, `bid`.
 */
kind: string, 
/**
 * ISO 4217.
 */
currency: string, 
/**
 * Whole offer, compute only.
 */
per_hour: string, 
/**
 * One card.
 */
per_gpu_hour: string, 
/**
 * One card, in USD at the dated rate; null without a rate.
 */
per_gpu_hour_usd: string | null, 
/**
 * Term of a reserved price.
 */
term: string | null, 
/**
 * Billing step, seconds.
 */
increment_s: number | null, 
/**
 * Least billed time, seconds.
 */
minimum_s: number | null, 
/**
 * Disk while running, per GB and month.
 */
storage_gb_month: string | null, 
/**
 * Disk while stopped, per GB and month.
 */
storage_stopped_gb_month: string | null, 
/**
 * Traffic out, per GB.
 */
egress_gb: string | null, 
/**
 * Traffic in, per GB.
 */
ingress_gb: string | null, 
/**
 * What is billed instead of the hour; null for hourly prices. The hourly figures beside it are then assumed.
 */
meter: MeterDto | null, };

export type MeterDto = { 
/**
 * `second` of a worker, or `tokens`.
 */
unit: string, 
/**
 * Price of a second.
 */
per_second: string | null, 
/**
 * Price of a million tokens read.
 */
per_million_in: string | null, 
/**
 * Price of a million tokens written.
 */
per_million_out: string | null, 
/**
 * By which assumption the hourly figures follow from it, with the source.
 */
assumed: string, };

export type TotalDto = { 
/**
 * Upper end of the range.
 */
usd: string, 
/**
 * Lower end of the range.
 */
low: string, 
/**
 * Upper end again, for symmetry with `low`.
 */
high: string, 
/**
 * Hours billed.
 */
hours: number, 
/**
 * Each part; null where it is not known.
 */
parts: PartsDto, 
/**
 * Which parts the provider said, which its general terms say, which nobody says.
 */
marks: MarksDto, 
/**
 * Names of the parts that are not known.
 */
unknown: Array<string>, };

export type PartsDto = { 
/**
 * Machine hours, minimum and rounding included.
 */
compute: string | null, 
/**
 * Disk for the hours.
 */
storage: string | null, 
/**
 * Traffic out.
 */
egress: string | null, };

export type MarksDto = { 
/**
 * Machine hours.
 */
compute: string, 
/**
 * Disk.
 */
storage: string, 
/**
 * Traffic out.
 */
egress: string, };

export type SupplyDto = { 
/**
 * `in-stock`, `none`, `unknown`.
 */
state: string, 
/**
 * How many, where told.
 */
count: number | null, };

export type FxDto = { 
/**
 * `ECB` or `CBR`.
 */
source: string, 
/**
 * The day the rates are for.
 */
date: string, };

export type JobDto = { 
/**
 * Hours of machine time.
 */
hours: number, 
/**
 * Disk held for those hours, GB.
 */
disk_gb: number, 
/**
 * Traffic out, GB.
 */
egress_gb: number, };

export type MarketView = { 
/**
 * The query line.
 */
line: string, 
/**
 * `gpu-hour machine-hour vram tflops bandwidth total age`, or a column: `count vram-size ram vcpu place provider model bandwidth-size`.
 */
sort: string, 
/**
 * Largest first.
 */
descending: boolean, 
/**
 * Turns prices into totals.
 */
job: JobDto | null, 
/**
 * Display currency, ISO 4217.
 */
currency: string, 
/**
 * Rows that do not say what a filter asks also match.
 */
include_unknown: boolean, 
/**
 * Quarantined rows are shown too, flagged.
 */
include_quarantine: boolean, };

export type MarketPageRequest = { 
/**
 * What is shown.
 */
view: MarketView, 
/**
 * First row of the window.
 */
offset: number, 
/**
 * Rows wanted, at most 500.
 */
limit: number, 
/**
 * Whether to count the facets.
 */
facets: boolean, };

export type MarketPage = { 
/**
 * Number of the board this was read from; grows with each refresh.
 */
board: number, 
/**
 * RFC 3339, when the answer was made.
 */
as_of: string, 
/**
 * Display currency.
 */
currency: string, 
/**
 * Rates used for conversion; null when none are known (prices then stay in their own currency).
 */
fx: FxDto | null, 
/**
 * Rows that match.
 */
total: number, 
/**
 * Rows on the board.
 */
all: number, 
/**
 * Clouds among the matching rows.
 */
clouds: number, 
/**
 * Rows in quarantine.
 */
quarantined: number, 
/**
 * Time the engine took.
 */
took_ms: number, 
/**
 * The window.
 */
rows: Array<OfferRow>, 
/**
 * Facets with live counts, each counted under all other filters; empty unless asked.
 */
facets: Array<Facet>, 
/**
 * Largest VRAM and bandwidth among all matching rows, for the data bars.
 */
max_vram_total_gib: number | null, 
/**
 * See above, GB/s.
 */
max_bandwidth_gb_s: number | null, 
/**
 * What each residency policy would keep and hide under all other filters; empty unless facets are asked.
 */
policies: Array<PolicyKept>, };

export type OfferRow = { 
/**
 * The offer.
 */
offer: OfferDto, 
/**
 * Shown name of the card: `H100 SXM`, `H100`, or the raw name of an unknown card.
 */
gpu_title: string, 
/**
 * The variant of the card is not said (a family name is shown).
 */
variant_unknown: boolean, 
/**
 * Shown name of the provider.
 */
provider_title: string, 
/**
 * Shown name of the cloud, where it differs from the provider.
 */
cloud_title: string | null, 
/**
 * Price of a card-hour in the display currency; null without a rate.
 */
per_gpu_hour: string | null, 
/**
 * Price of a machine-hour in the display currency.
 */
per_hour: string | null, 
/**
 * Lower and upper end of the job's total in the display currency.
 */
total_low: string | null, 
/**
 * See above.
 */
total_high: string | null, 
/**
 * Seconds since the source said so.
 */
age_s: number, 
/**
 * Change of the price over 30 days in percent; null without history that long.
 */
change_30d: number | null, };

export type Facet = { 
/**
 * `gpu vram form zone link cloud kind seller source supply policy`.
 */
key: string, 
/**
 * Values, the most frequent first (chosen ones always among them).
 */
values: Array<FacetValue>, };

export type FacetValue = { 
/**
 * What [`EditRequest`](crate::line::EditRequest) takes.
 */
value: string, 
/**
 * Shown text where it is a name (card, cloud); the window translates fixed words itself.
 */
title: string, 
/**
 * Rows that would match with this value.
 */
count: number, 
/**
 * Whether the query line asks for it.
 */
chosen: boolean, };

export type GroupsPage = { 
/**
 * As in [`MarketPage`].
 */
board: number, 
/**
 * As in [`MarketPage`].
 */
as_of: string, 
/**
 * Display currency.
 */
currency: string, 
/**
 * Rates used.
 */
fx: FxDto | null, 
/**
 * Matching rows.
 */
total: number, 
/**
 * All rows.
 */
all: number, 
/**
 * Time taken.
 */
took_ms: number, 
/**
 * One a card, in the order of the view's sort key: `offers clouds gpu-hour median spot vram-size bandwidth-size model`.
 */
groups: Array<GpuGroup>, 
/**
 * Facets, counted as in [`MarketPage`]; empty unless asked.
 */
facets: Array<Facet>, 
/**
 * As in [`MarketPage`].
 */
policies: Array<PolicyKept>, };

export type GpuGroup = { 
/**
 * Shown name.
 */
gpu: string, 
/**
 * The query word that selects just this group.
 */
word: string, 
/**
 * Vendor.
 */
vendor: string | null, 
/**
 * VRAM of a card, GiB.
 */
vram_gib: number | null, 
/**
 * Bandwidth, GB/s.
 */
bandwidth_gb_s: number | null, 
/**
 * Dense BF16 TFLOPS.
 */
bf16_tflops: number | null, 
/**
 * Link.
 */
link: string | null, 
/**
 * Lowest price of a card-hour, display currency.
 */
from: string | null, 
/**
 * Median price of a card-hour.
 */
median: string | null, 
/**
 * Lowest spot price of a card-hour.
 */
spot_from: string | null, 
/**
 * Offers.
 */
offers: number, 
/**
 * Offers known to be in stock.
 */
in_stock: number, 
/**
 * Clouds that have it.
 */
clouds: Array<string>, 
/**
 * Lowest price of each of the last days, oldest first; empty without history.
 */
days: Array<DayPoint>, };

export type DayPoint = { 
/**
 * ISO date.
 */
day: string, 
/**
 * Lowest price of a card-hour in USD.
 */
from: number, 
/**
 * Median price.
 */
median: number, };

export type LineRequest = { 
/**
 * The line.
 */
line: string, };

export type ParsedLine = { 
/**
 * The same query in its shortest spelling.
 */
canonical: string, 
/**
 * One chip a term.
 */
chips: Array<Chip>, 
/**
 * What is wrong with it, if anything.
 */
error: LineError | null, };

export type Chip = { 
/**
 * The words of the line that make it; removing it is [`Edit::Remove`].
 */
text: string, 
/**
 * Which column it filters: a facet key, or `count ram vcpu price cuda …`.
 */
key: string, 
/**
 * `:`, `≥`, `<`, … or empty for a bare word.
 */
op: string, 
/**
 * What stands after the operator.
 */
value: string, 
/**
 * Excludes instead of keeping.
 */
negated: boolean, };

export type LineError = { 
/**
 * The word.
 */
word: string, 
/**
 * Its first character, counted in characters.
 */
at: number, 
/**
 * The nearest known word.
 */
nearest: string | null, 
/**
 * English sentence for terminals and logs.
 */
message: string, };

export type EditRequest = { 
/**
 * The line before.
 */
line: string, 
/**
 * What to change.
 */
edit: Edit, };

export type Edit = { "do": "toggle", 
/**
 * Facet key.
 */
key: string, 
/**
 * Value.
 */
value: string, } | { "do": "at_least", 
/**
 * Column (`vram`, `count`, `ram`, …).
 */
key: string, 
/**
 * Lower bound; null clears it.
 */
value: number | null, } | { "do": "remove", 
/**
 * Counted from 0.
 */
index: number, } | { "do": "clear", 
/**
 * Column.
 */
key: string, };

export type OfferDetailsRequest = { 
/**
 * Offer.
 */
id: string, 
/**
 * Job, if totals are wanted.
 */
job: JobDto | null, 
/**
 * Display currency.
 */
currency: string, };

export type OfferDetails = { 
/**
 * The row.
 */
row: OfferRow, 
/**
 * Where the figures come from: `Vast, POST /bundles/`, `Azure price list of 2026-06-18`.
 */
origin: string, 
/**
 * City, where known.
 */
city: string | null, 
/**
 * Memory kind of the card (`HBM3`).
 */
memory_type: string | null, 
/**
 * Architecture of the card.
 */
architecture: string | null, 
/**
 * Board power, W.
 */
tdp_w: number | null, 
/**
 * Price changes, oldest first.
 */
history: Array<PricePoint>, 
/**
 * Why it is in quarantine, if it is.
 */
quarantine: string | null, 
/**
 * The command that shows the same.
 */
command: string, 
/**
 * The part's amounts in the display currency, same keys as `offer.total.parts`.
 */
parts: PartsShown | null, 
/**
 * What each residency policy says of it.
 */
policies: Array<PolicyVerdict>, };

export type PartsShown = { 
/**
 * Machine hours.
 */
compute: string | null, 
/**
 * Disk.
 */
storage: string | null, 
/**
 * Traffic out.
 */
egress: string | null, };

export type PricePoint = { 
/**
 * RFC 3339.
 */
at: string, 
/**
 * Whole offer per hour, its own currency.
 */
per_hour: string, 
/**
 * Currency.
 */
currency: string, };

export type CompareRequest = { 
/**
 * Two to six ids.
 */
ids: Array<string>, 
/**
 * Job.
 */
job: JobDto | null, 
/**
 * Display currency.
 */
currency: string, };

export type Comparison = { 
/**
 * As in [`MarketPage`].
 */
as_of: string, 
/**
 * Display currency.
 */
currency: string, 
/**
 * Rates used.
 */
fx: FxDto | null, 
/**
 * One a column, in the order asked.
 */
columns: Array<OfferRow>, 
/**
 * Ids that are no longer offered.
 */
gone: Array<string>, 
/**
 * The lines of the comparison.
 */
lines: Array<CompareLine>, };

export type CompareLine = { 
/**
 * Which fact: `per_gpu_hour`, `vram_total_gib`, `country`, …
 */
key: string, 
/**
 * Its value in each column as it would be shown without translation; null where not said.
 */
values: Array<string | null>, 
/**
 * Whether the columns differ.
 */
differs: boolean, 
/**
 * Columns that are best (several on a tie); empty where best has no meaning.
 */
best: Array<number>, };

export type CopyRequest = { 
/**
 * The view the rows stand in (currency, job).
 */
view: MarketView, 
/**
 * These rows; empty = all that match, at most 5,000.
 */
ids: Array<string>, 
/**
 * `text`, `csv`, `json`, `command`.
 */
format: string, };

export type CopyText = { 
/**
 * The text.
 */
text: string, 
/**
 * Rows in it.
 */
rows: number, };

export type SourceStatus = { 
/**
 * `vast`, `runpod`, `catalogue`, `rates`.
 */
name: string, 
/**
 * Shown name.
 */
title: string, 
/**
 * Its feeds: one for a live source, one a cloud for a catalogue.
 */
feeds: Array<FeedStatus>, 
/**
 * Whether it is being fetched now.
 */
busy: boolean, 
/**
 * Whether it tells nothing before there is an account, and there is none.
 */
needs_account: boolean, };

export type FeedStatus = { 
/**
 * `vast`, `catalogue/aws`.
 */
name: string, 
/**
 * Shown name of the provider.
 */
title: string, 
/**
 * `ok`, `stale`, `failed` (old rows are kept), `never`.
 */
state: string, 
/**
 * `live` or `catalogue`.
 */
source: string, 
/**
 * Where the rows come from.
 */
origin: string | null, 
/**
 * RFC 3339, when its source said the rows on the board.
 */
as_of: string | null, 
/**
 * Seconds since.
 */
age_s: number | null, 
/**
 * RFC 3339, the last try.
 */
tried_at: string | null, 
/**
 * RFC 3339, since when it fails.
 */
failing_since: string | null, 
/**
 * Offers on the board.
 */
offers: number, 
/**
 * Rows read at the last success.
 */
rows_read: number, 
/**
 * Rows that are no GPU.
 */
rows_not_gpu: number, 
/**
 * Rows in quarantine.
 */
quarantined: number, 
/**
 * Seconds the last fetch took.
 */
seconds: number | null, 
/**
 * Price changes at the last success.
 */
price_changes: number, 
/**
 * What went wrong at the last try.
 */
error: ApiError | null, };

export type RefreshRequest = { 
/**
 * Source names; empty = all.
 */
sources: Array<string>, };

export type RefreshReport = { 
/**
 * One a feed.
 */
feeds: Array<FeedReport>, };

export type FeedReport = { 
/**
 * Feed.
 */
feed: string, 
/**
 * Rows the source sent.
 */
rows_read: number, 
/**
 * Rows that became offers.
 */
rows_used: number, 
/**
 * Offers made of them (a row may give an on-demand and a spot offer).
 */
offers: number, 
/**
 * Rows that are no GPU.
 */
rows_not_gpu: number, 
/**
 * Rows in quarantine.
 */
quarantined: number, 
/**
 * Their reasons with counts, most frequent first.
 */
reasons: Array<ReasonCount>, 
/**
 * Offers that are new.
 */
added: number, 
/**
 * Offers that are gone.
 */
removed: number, 
/**
 * Offers whose price changed.
 */
price_changes: number, 
/**
 * Offer rows written to the database (0 when nothing changed).
 */
rows_written: number, 
/**
 * Whether the source said that nothing changed (ETag, version file).
 */
unchanged: boolean, 
/**
 * Time taken.
 */
seconds: number, 
/**
 * Remarks that cost no row.
 */
notes: Array<string>, 
/**
 * What went wrong; the old offers stay.
 */
error: ApiError | null, };

export type ReasonCount = { 
/**
 * Fixed word.
 */
code: string, 
/**
 * An example of the detail.
 */
example: string, 
/**
 * Rows.
 */
count: number, };

export type QuarantineRequest = { 
/**
 * Only this feed.
 */
feed: string | null, 
/**
 * First row.
 */
offset: number, 
/**
 * Rows wanted.
 */
limit: number, };

export type QuarantinePage = { 
/**
 * All of them.
 */
total: number, 
/**
 * The window.
 */
rows: Array<QuarantinedRow>, };

export type QuarantinedRow = { 
/**
 * Feed.
 */
feed: string, 
/**
 * Fixed word of the reason.
 */
code: string, 
/**
 * Its figures.
 */
detail: string, 
/**
 * Where the row stood.
 */
origin: string, 
/**
 * The offer as far as it could be read.
 */
offer: OfferDto | null, };

export type Settings = { 
/**
 * `system`, `dark`, `light`.
 */
theme: string, 
/**
 * `system`, `en`, `ru`.
 */
language: string, 
/**
 * Display currency.
 */
currency: string, 
/**
 * The job last set; null = none.
 */
job: JobDto | null, 
/**
 * Row height: `normal` or `compact`.
 */
density: string, 
/**
 * Whether the first-run doors were passed.
 */
welcomed: boolean, 
/**
 * Whether the sources are fetched by themselves.
 */
auto_refresh: boolean, 
/**
 * HTTP proxy, empty = the system's.
 */
proxy: string, 
/**
 * PEM file of an extra certificate authority, empty = none.
 */
ca_file: string, 
/**
 * Base address of the public catalogues, empty = their own.
 */
catalogue_url: string, 
/**
 * What a lease is unless somebody says otherwise.
 */
lease: LeaseDefaults, 
/**
 * Columns of the offers table, in order; empty = default.
 */
columns: Array<ColumnChoice>, 
/**
 * Ids in the compare tray.
 */
compare: Array<string>, 
/**
 * The last query line and view.
 */
last_view: MarketView | null, 
/**
 * What was last planned.
 */
last_plan: PlanRequest | null, 
/**
 * What was last compared with buying.
 */
last_buy: BuyRequest | null, 
/**
 * Whether the facets panel is folded.
 */
facets_folded: boolean, 
/**
 * Whether the details panel is folded.
 */
details_folded: boolean, };

export type ColumnChoice = { 
/**
 * Which.
 */
key: string, 
/**
 * Shown or not.
 */
shown: boolean, 
/**
 * Width in px; null = its own.
 */
width: number | null, };

export type RatesInfo = { 
/**
 * Sheets known, newest of each bank.
 */
sheets: Array<FxDto>, 
/**
 * Currencies that can be shown.
 */
currencies: Array<string>, };

export type Watch = { 
/**
 * Number.
 */
id: number, 
/**
 * The query line.
 */
line: string, 
/**
 * RFC 3339.
 */
created_at: string, 
/**
 * The best match when it last looked, by price of a card-hour in USD; null = nothing matched.
 */
best_usd: string | null, 
/**
 * Offers that match now.
 */
matches: number, 
/**
 * RFC 3339, when it last told.
 */
told_at: string | null, };

export type WatchAddRequest = { 
/**
 * The query line; a price or stock limit in it is the condition (`h100 x8 price<2 instock`).
 */
line: string, };

export type WatchRemoveRequest = { 
/**
 * Number.
 */
id: number, };

export type Diagnostics = { 
/**
 * Version of the app.
 */
version: string, 
/**
 * Operating system and architecture.
 */
platform: string, 
/**
 * Data folder.
 */
home: string, 
/**
 * Database file and its size in bytes.
 */
database: string, 
/**
 * Size in bytes.
 */
database_bytes: number, 
/**
 * Schema version.
 */
schema: number, 
/**
 * Offers on the board.
 */
offers: number, 
/**
 * Memory of the board in bytes.
 */
board_bytes: number, 
/**
 * The system's SSH client, or null where there is none.
 */
ssh: string | null, 
/**
 * Environment variables that change where data or requests go (names only of those set).
 */
overrides: Array<string>, };

export type ApiError = { 
/**
 * `query-invalid not-found network provider-refused rate-limited bad-answer database settings-invalid too-large timeout internal`.
 */
code: string, 
/**
 * What was being done, to what.
 */
what: string, 
/**
 * The other side's words, shortened, without secrets.
 */
detail: string, 
/**
 * What to do next.
 */
hint: string | null, 
/**
 * For `query-invalid`: the word and its neighbour.
 */
line: LineError | null, };

export type Event = { "kind": "board_changed", 
/**
 * Its number.
 */
board: number, } | { "kind": "source_changed", 
/**
 * Source name.
 */
source: string, } | { "kind": "watch_hit", 
/**
 * Watch number.
 */
id: number, 
/**
 * Its line.
 */
line: string, 
/**
 * The offer.
 */
offer: string, 
/**
 * Shown name: `8× H100 SXM · Verda`.
 */
title: string, 
/**
 * Card-hour in USD.
 */
usd: string, } | { "kind": "settings_changed" } | { "kind": "policies_changed" } | { "kind": "budgets_changed" } | { "kind": "hosts_changed" } | { "kind": "notices_changed" } | { "kind": "rentals_changed", 
/**
 * Rental id; empty = any of them.
 */
rental: string, } | { "kind": "accounts_changed" } | { "kind": "forwards_changed" } | { "kind": "practice_changed", 
/**
 * On or off.
 */
on: boolean, } | { "kind": "told", 
/**
 * Rental id.
 */
rental: string, 
/**
 * Its name.
 */
name: string, 
/**
 * Fixed word: `ready`, `failed`, `lost`, `preempted`, `ended`, `not-confirmed`, `differs`, `price-rise`,
 * `still-there`, `policy-broken`.
 */
what: string, 
/**
 * In English, one line.
 */
text: string, 
/**
 * Whether the system shows it, too.
 */
system: boolean, } | { "kind": "open_link", 
/**
 * The link.
 */
link: string, };

export type KeyField = { 
/**
 * Its name in the object.
 */
name: string, 
/**
 * As the provider's own page calls it.
 */
title: string, 
/**
 * Whether it is hidden while it is typed.
 */
secret: boolean, 
/**
 * Whether the key is useless without it.
 */
required: boolean, 
/**
 * What one looks like; may be empty.
 */
example: string, };

export type KeyScope = { 
/**
 * In the provider's own spelling.
 */
name: string, 
/**
 * What it is good for: `offers`, `watch`, `rent`, `ssh-keys`, `balance`, `usage`, `leftovers`.
 */
allows: Array<string>, 
/**
 * Whether renting is impossible without it.
 */
needed: boolean, 
/**
 * The page that grants it.
 */
page: string, };

export type CallRate = { 
/**
 * What is limited: `all calls`, `launch`.
 */
what: string, 
/**
 * So many calls.
 */
calls: number, 
/**
 * In so many seconds.
 */
per_s: number, 
/**
 * The page that says so.
 */
page: string, };

export type CloudHealth = { 
/**
 * `ok`, `stale`, `failed` (old rows are kept), `never`, `needs-account`.
 */
state: string, 
/**
 * RFC 3339, when its offers were last read.
 */
refreshed_at: string | null, 
/**
 * Seconds since then.
 */
age_s: number | null, 
/**
 * Offers at hand.
 */
offers: number, 
/**
 * Rows of the last answer.
 */
rows_read: number, 
/**
 * Of these, rows that are no GPU and were skipped.
 */
rows_not_gpu: number, 
/**
 * Of these, rows kept aside with a reason.
 */
quarantined: number, 
/**
 * Whether the provider last said that it was asked too often.
 */
rate_limited: boolean, 
/**
 * Why the last read failed.
 */
error: ApiError | null, };

export type Account = { 
/**
 * `vast`, or `vast/team` for one of several.
 */
name: string, 
/**
 * `vast`.
 */
provider: string, 
/**
 * Shown name of the provider.
 */
title: string, 
/**
 * What tells several accounts of one provider apart; empty for the only one.
 */
alias: string, 
/**
 * Where its key is kept: `keyring`, `environment`, `file`, `missing`.
 */
key_in: string, 
/**
 * `ok`, `checking`, `failed`, `never`.
 */
state: string, 
/**
 * Who it is, where told.
 */
who: string | null, 
/**
 * Money left, where told.
 */
balance: string | null, 
/**
 * Currency of the balance.
 */
currency: string | null, 
/**
 * The account's own limit per hour.
 */
spend_limit_per_hour: string | null, 
/**
 * What its key may do: `read-only`, `read-write`, `unknown`.
 */
rights: string, 
/**
 * What the key needs at least, in the provider's own words.
 */
needs: string, 
/**
 * Where a key is made.
 */
key_page: string, 
/**
 * What works with this key: `offers`, `watch`, `rent`, `stop`, `spot`, `bid`, `balance`, `usage`.
 */
can: Array<string>, 
/**
 * Rights the key was seen to lack, each with the page that grants it.
 */
missing: Array<KeyScope>, 
/**
 * Whether the provider last said that it was asked too often.
 */
rate_limited: boolean, 
/**
 * What else should be known.
 */
remarks: Array<string>, 
/**
 * RFC 3339, when it was last asked.
 */
checked_at: string | null, 
/**
 * Why the last check failed.
 */
error: ApiError | null, 
/**
 * Base address other than the documented one; empty = none.
 */
address: string, 
/**
 * Proxy of this account; empty = the desk's.
 */
proxy: string, 
/**
 * CA file of this account; empty = the desk's.
 */
ca_file: string, };

export type Accounts = { 
/**
 * Those there are.
 */
accounts: Array<Account>, 
/**
 * Providers that can be rented from here.
 */
providers: Array<AccountProvider>, 
/**
 * Whether keys can be kept in the system's keyring, and why not.
 */
keyring: KeyringState, };

export type AccountProvider = { 
/**
 * `vast`.
 */
provider: string, 
/**
 * Shown name.
 */
title: string, 
/**
 * What the key needs at least, in the provider's own words.
 */
needs: string, 
/**
 * Where a key is made.
 */
key_page: string, 
/**
 * The parts of a key; empty = one text.
 */
fields: Array<KeyField>, 
/**
 * The rights a key can have; empty = a key may do all that its owner may.
 */
scopes: Array<KeyScope>, 
/**
 * What works with a key that has every right: words as in [`Account::can`].
 */
can: Array<string>, 
/**
 * Whether offers are told only with a key.
 */
offers_need_key: boolean, 
/**
 * The published limits of calls; empty = none is published.
 */
rates: Array<CallRate>, 
/**
 * How its offers fare.
 */
health: CloudHealth, };

export type KeyringState = { 
/**
 * Whether keys can be kept there.
 */
works: boolean, 
/**
 * Shown name: `Secret Service`.
 */
name: string, 
/**
 * Why not.
 */
problem: string | null, 
/**
 * Where keys are kept instead.
 */
instead: string | null, };

export type AccountAddRequest = { 
/**
 * `vast`.
 */
provider: string, 
/**
 * Empty for the only one.
 */
alias: string, 
/**
 * The key. It is put into the keyring and never comes back.
 */
key: string, 
/**
 * Where to keep it when the keyring does not work: `keyring` (fail then), `file`, `session`.
 */
keep: string, 
/**
 * Base address other than the documented one; empty = none.
 */
address: string, 
/**
 * Proxy; empty = the desk's.
 */
proxy: string, 
/**
 * CA file; empty = the desk's.
 */
ca_file: string, 
/**
 * Keep the key although the provider cannot be asked about it now.
 */
unchecked?: boolean, };

export type AccountRequest = { 
/**
 * `vast` or `vast/team`.
 */
name: string, };

export type LaunchSheetRequest = { 
/**
 * The offer.
 */
offer: string, 
/**
 * Disk in GB; null = the usual.
 */
disk_gb: number | null, 
/**
 * Hours of the lease.
 */
hours: number, 
/**
 * The project it would be rented for.
 */
project?: string | null, };

export type LaunchSheet = { 
/**
 * The offer.
 */
offer: OfferDto, 
/**
 * Whether it is a booking of a server of the team's own: no account, key, image or disk is chosen.
 */
booking: boolean, 
/**
 * Accounts it can be rented through; empty = an account must be added first, unless it is a booking.
 */
accounts: Array<Account>, 
/**
 * A free name.
 */
name: string, 
/**
 * SSH keys to choose from, the best first.
 */
ssh_keys: Array<SshKey>, 
/**
 * Images, the usual one first.
 */
images: Array<ImageChoice>, 
/**
 * Whether any image reference may be typed.
 */
any_image: boolean, 
/**
 * Disk range; null = the offer's own.
 */
disk: DiskChoice | null, 
/**
 * Names used before for owner and project.
 */
owners: Array<string>, 
/**
 * The same for projects.
 */
projects: Array<string>, 
/**
 * What the lease's hours will cost: low and high end, in the offer's currency.
 */
cost: CostRange, 
/**
 * What happens at the end of its lease unless another thing is chosen: `notify`, `stop`, `end`.
 */
on_expiry: string, 
/**
 * What a stop means here.
 */
stop: StopTruth, 
/**
 * Which rings would guard it.
 */
rings: Array<Ring>, 
/**
 * Whether anything would end it with the laptop closed.
 */
survives_closed_laptop: boolean, 
/**
 * Things to know before the money is spent, each a fixed word with figures: see the window's texts.
 */
remarks: Array<Remark>, 
/**
 * What the project's residency policy says of it; null = the project is under none.
 */
policy: PolicyVerdict | null, 
/**
 * What is known of machines rented here before.
 */
evidence: Array<Remark>, };

export type SshKey = { 
/**
 * What is sent back to choose it.
 */
id: string, 
/**
 * `file`, `agent`, `new`.
 */
source: string, 
/**
 * File of the public half, or the agent's comment.
 */
title: string, 
/**
 * `ssh-ed25519`, …; empty for a new one.
 */
kind: string, 
/**
 * `SHA256:…`; empty for a new one.
 */
fingerprint: string, 
/**
 * Why it cannot be used.
 */
problem: string | null, };

export type ImageChoice = { 
/**
 * The provider's reference.
 */
id: string, 
/**
 * Shown name.
 */
title: string, 
/**
 * `cuda`, `pytorch`, `inference`, `custom`.
 */
kind: string, };

export type DiskChoice = { 
/**
 * The least.
 */
least: number, 
/**
 * The usual.
 */
usual: number, 
/**
 * The most, where known.
 */
most: number | null, };

export type CostRange = { 
/**
 * Low end.
 */
low: string, 
/**
 * High end.
 */
high: string, 
/**
 * Currency.
 */
currency: string, 
/**
 * Names of parts that are not known.
 */
unknown: Array<string>, };

export type StopTruth = { 
/**
 * Whether there is one.
 */
exists: boolean, 
/**
 * Whether the cards are no longer billed.
 */
ends_compute: boolean, 
/**
 * Whether the disk is kept; null = not said.
 */
keeps_disk: boolean | null, 
/**
 * What the stopped disk costs a month; null = not known, "0" = nothing.
 */
disk_per_month: string | null, 
/**
 * Currency of that.
 */
currency: string, 
/**
 * Whether a start may wait for ever.
 */
start_may_wait: boolean, };

export type Ring = { 
/**
 * `provider`, `box`, `desk`.
 */
ring: string, 
/**
 * On or off.
 */
on: boolean, 
/**
 * Why, in English.
 */
why: string, 
/**
 * Fixed word of why, for the window's own texts.
 */
code: string, };

export type Remark = { 
/**
 * Fixed word.
 */
code: string, 
/**
 * In English, for the terminal.
 */
text: string, 
/**
 * `note`, `warn`, `block`.
 */
weight: string, 
/**
 * Figures and names for the window's own sentence: amounts as decimal strings, times as RFC 3339.
 */
figures: { [key in string]: string }, };

export type LaunchRequest = { 
/**
 * The offer.
 */
offer: string, 
/**
 * Account; empty = the only one.
 */
account: string, 
/**
 * Name; empty = a free one.
 */
name: string, 
/**
 * Key id of the sheet; empty = the best one.
 */
ssh_key: string, 
/**
 * Image reference; empty = the usual one.
 */
image: string, 
/**
 * Disk in GB; null = the usual.
 */
disk_gb: number | null, 
/**
 * Lease in hours; null = no limit of time.
 */
hours: number | null, 
/**
 * The most it may cost, in the offer's currency.
 */
max_spend: string | null, 
/**
 * Minutes of idleness.
 */
idle_minutes: number | null, 
/**
 * `notify`, `stop`, `end`.
 */
on_expiry: string, 
/**
 * Owner.
 */
owner: string | null, 
/**
 * Project.
 */
project: string | null, 
/**
 * The price per hour the person saw or allows; a higher one is asked about, never taken.
 */
max_price: string | null, 
/**
 * Why it may be rented although the project's residency policy forbids it; stays in the record.
 */
override_policy?: string | null, };

export type LaunchOutcome = { "outcome": "requested", 
/**
 * The rental.
 */
rental: RentalDto, } | { "outcome": "price-rose", 
/**
 * The price that was allowed, per hour.
 */
allowed: string, 
/**
 * The price now.
 */
now: string, 
/**
 * Currency.
 */
currency: string, } | { "outcome": "gone", 
/**
 * In whose words.
 */
words: string, 
/**
 * Like it, the nearest first.
 */
nearest: Array<OfferDto>, };

export type OfferEndRequest = { 
/**
 * The offer.
 */
offer: string, 
/**
 * Account it would be rented through; empty = the only one.
 */
account: string, };

export type OfferEnd = { 
/**
 * When the host takes the machine back, RFC 3339; null = no end is told.
 */
ends_at: string | null, };

export type OfferPageRequest = { 
/**
 * The offer.
 */
offer: string, };

export type OfferPage = { 
/**
 * Its address.
 */
page: string, 
/**
 * Whether a browser was started; where none was, the address is to be copied.
 */
opened: boolean, };

export type RentalDto = { 
/**
 * Our id.
 */
id: string, 
/**
 * Name.
 */
name: string, 
/**
 * `vast`.
 */
provider: string, 
/**
 * Shown name of the provider.
 */
provider_title: string, 
/**
 * `vast` or `vast/team`.
 */
account: string, 
/**
 * The provider's id; null until it has one.
 */
remote_id: string | null, 
/**
 * State.
 */
state: string, 
/**
 * Since when, RFC 3339.
 */
state_since: string, 
/**
 * Why it failed, what it waits for.
 */
reason: string | null, 
/**
 * The provider's own word for it.
 */
provider_word: string | null, 
/**
 * The mark.
 */
token: string, 
/**
 * The offer it was made from; null for an adopted one.
 */
offer: OfferDto | null, 
/**
 * What it is, shown: `8× H100 SXM · Verda FI`.
 */
title: string, 
/**
 * Where it really is.
 */
place: PlaceDto | null, 
/**
 * What the residency policy it was rented under says of it; null = it was rented under none.
 */
policy: PolicyVerdict | null, 
/**
 * Owner.
 */
owner: string | null, 
/**
 * Project.
 */
project: string | null, 
/**
 * The way in.
 */
ssh: SshDto | null, 
/**
 * RFC 3339.
 */
requested_at: string, 
/**
 * RFC 3339.
 */
ready_at: string | null, 
/**
 * RFC 3339, when its end was confirmed.
 */
ended_at: string | null, 
/**
 * When the provider's contract ends it, RFC 3339.
 */
ends_at: string | null, 
/**
 * What it costs an hour in its state now, compute and disk; null = not known.
 */
rate: RateDto, 
/**
 * Costs so far.
 */
cost_so_far: CostSoFar, 
/**
 * Comparison with the offer; null until made.
 */
verified: VerifiedDto | null, 
/**
 * Limits.
 */
lease: LeaseDto, 
/**
 * Rings.
 */
rings: Array<Ring>, 
/**
 * Whether it works; null = it was never measured.
 */
activity: ActivityDto | null, 
/**
 * What may be done now, in this order of prominence: `connect start stop end extend retry-end`.
 */
actions: Array<string>, 
/**
 * What a stop means here.
 */
stop: StopTruth, 
/**
 * Things to know: price rises, end dates, no GPU.
 */
notices: Array<Remark>, 
/**
 * Newest reading of the cards; null = none.
 */
usage: UsageNow | null, 
/**
 * How long boots took here before, seconds low and high; null = not known.
 */
usual_boot_s: [number, number] | null, 
/**
 * Whether it is over and shown only among the old ones.
 */
over: boolean, };

export type SshDto = { 
/**
 * Address.
 */
host: string, 
/**
 * Port.
 */
port: number, 
/**
 * User.
 */
user: string, 
/**
 * `ssh ALIAS` works in any terminal.
 */
alias: string, 
/**
 * Fingerprint of the host key; null until seen.
 */
fingerprint: string | null, 
/**
 * Whether it is a proxy: a shell only.
 */
proxy: boolean, };

export type RateDto = { 
/**
 * All of it per hour, in the state it is in; null = not known.
 */
per_hour: string | null, 
/**
 * Currency.
 */
currency: string, };

export type CostSoFar = { 
/**
 * All of it.
 */
amount: string, 
/**
 * Currency.
 */
currency: string, 
/**
 * `compute`, `storage`, `storage-stopped`.
 */
parts: { [key in string]: string }, 
/**
 * Parts that are not known.
 */
unknown: Array<string>, };

export type VerifiedDto = { 
/**
 * Nothing differs.
 */
ok: boolean, 
/**
 * What differs.
 */
differs: Array<DifferenceDto>, 
/**
 * What could not be compared.
 */
unknown: Array<string>, };

export type DifferenceDto = { 
/**
 * Of what.
 */
what: string, 
/**
 * As offered.
 */
offered: string, 
/**
 * As found.
 */
found: string, };

export type LeaseDto = { 
/**
 * RFC 3339.
 */
until: string | null, 
/**
 * In the offer's currency.
 */
max_spend: string | null, 
/**
 * Minutes.
 */
idle_minutes: number | null, 
/**
 * `notify`, `stop`, `end`.
 */
on_expiry: string, };

export type UsageNow = { 
/**
 * RFC 3339.
 */
at: string, 
/**
 * Each card.
 */
gpus: Array<GpuUsage>, 
/**
 * Programs on the cards.
 */
processes: Array<GpuProcess>, 
/**
 * Why there is no figure.
 */
problem: string | null, 
/**
 * Mean utilisation of the last hour, oldest first, one a minute; null = no sample.
 */
last_hour: Array<number | null>, };

export type GpuUsage = { 
/**
 * Number.
 */
index: number, 
/**
 * Name.
 */
name: string, 
/**
 * Percent.
 */
util_percent: number | null, 
/**
 * MiB.
 */
memory_used_mib: number | null, 
/**
 * MiB.
 */
memory_total_mib: number | null, 
/**
 * Watts.
 */
power_w: number | null, 
/**
 * °C.
 */
temperature_c: number | null, };

export type GpuProcess = { 
/**
 * Process number on the machine.
 */
pid: number, 
/**
 * Its name.
 */
name: string, 
/**
 * MiB.
 */
memory_mib: number | null, };

export type RentalsPage = { 
/**
 * Ours, the live ones first.
 */
rentals: Array<RentalDto>, 
/**
 * Machines in the accounts that are not ours.
 */
unmanaged: Array<UnmanagedDto>, 
/**
 * Machines that are billed now.
 */
burning_machines: number, 
/**
 * What they burn an hour, in USD, where all can be converted.
 */
burning_usd: string | null, 
/**
 * Machines whose rate is not known.
 */
burning_unknown: number, 
/**
 * Accounts whose machines could not be listed, with the reason.
 */
blind: Array<BlindAccount>, 
/**
 * RFC 3339, when all accounts were last compared.
 */
reconciled_at: string | null, };

export type BlindAccount = { 
/**
 * Which.
 */
account: string, 
/**
 * RFC 3339, since when.
 */
since: string, 
/**
 * Why.
 */
error: ApiError, };

export type UnmanagedDto = { 
/**
 * Account.
 */
account: string, 
/**
 * Shown name of the provider.
 */
provider_title: string, 
/**
 * The provider's id.
 */
remote_id: string, 
/**
 * Name.
 */
name: string | null, 
/**
 * What it is.
 */
title: string, 
/**
 * State in our words.
 */
state: string, 
/**
 * Since when, RFC 3339.
 */
created_at: string | null, 
/**
 * Per hour.
 */
per_hour: string | null, 
/**
 * Currency.
 */
currency: string | null, 
/**
 * Cost since its creation, if it ran all the time.
 */
at_most: string | null, 
/**
 * Whether a person said to leave it out of sight.
 */
ignored: boolean, 
/**
 * Whether it bears a mark of GPU Desk (of another desk, or of a record that was lost).
 */
marked: boolean, };

export type RentalsRequest = { 
/**
 * Those that are over too.
 */
all: boolean, };

export type RentalRequest = { 
/**
 * Id or name.
 */
rental: string, };

export type RentalDetails = { 
/**
 * It.
 */
rental: RentalDto, 
/**
 * Its story, oldest first.
 */
events: Array<EventDto>, 
/**
 * Billing intervals.
 */
intervals: Array<IntervalDto>, 
/**
 * Port forwards that are open.
 */
forwards: Array<ForwardDto>, 
/**
 * Copies under way or done lately.
 */
copies: Array<CopyDto>, 
/**
 * The receipt, Markdown, once it is over.
 */
receipt: string | null, };

export type EventDto = { 
/**
 * RFC 3339.
 */
at: string, 
/**
 * Fixed word.
 */
event: string, 
/**
 * In English, one line.
 */
text: string, 
/**
 * `good`, `note`, `warn`, `bad`.
 */
weight: string, 
/**
 * Figures for the window's own texts.
 */
figures: Record<string, unknown>, };

export type IntervalDto = { 
/**
 * `compute`, `storage`, `storage-stopped`.
 */
kind: string, 
/**
 * RFC 3339.
 */
from: string, 
/**
 * RFC 3339; null = still.
 */
to: string | null, 
/**
 * Per hour; null = not known.
 */
per_hour: string | null, 
/**
 * So far; null = not known.
 */
amount: string | null, };

export type EndChecklist = { 
/**
 * The rental.
 */
rental: RentalDto, 
/**
 * Programs on its cards, people logged in, files changed lately; each with what it means.
 */
running: Array<Remark>, 
/**
 * What goes, what stays, and what staying costs.
 */
fate: Array<Remark>, 
/**
 * Things of the account that cost without a machine.
 */
leftovers: Array<LeftoverDto>, 
/**
 * Whether the machine could be asked at all, and why not.
 */
asked: ApiError | null, };

export type LeftoverDto = { 
/**
 * What.
 */
what: string, 
/**
 * Its id.
 */
remote_id: string, 
/**
 * Name.
 */
name: string | null, 
/**
 * GB.
 */
size_gb: string | null, 
/**
 * A month.
 */
per_month: string | null, 
/**
 * Currency.
 */
currency: string, };

export type ExtendRequest = { 
/**
 * Id or name.
 */
rental: string, 
/**
 * Hours more, from the later of now and the present end.
 */
hours: number, };

export type UnmanagedRequest = { 
/**
 * Account.
 */
account: string, 
/**
 * The provider's id.
 */
remote_id: string, 
/**
 * `adopt`, `ignore`, `show`, `end`.
 */
action: string, 
/**
 * For an adoption: the name; empty = its own.
 */
name: string, };

export type ReconcileReport = { 
/**
 * Accounts that were listed in full.
 */
complete: Array<string>, 
/**
 * Accounts that could not be.
 */
blind: Array<BlindAccount>, 
/**
 * Rentals found by their mark just now.
 */
found: Array<string>, 
/**
 * Rentals that are gone at the provider.
 */
lost: Array<string>, 
/**
 * Machines that are not ours.
 */
unmanaged: Array<UnmanagedDto>, 
/**
 * What stays and costs without a machine.
 */
leftovers: Array<AccountLeftover>, };

export type AccountLeftover = { 
/**
 * Account.
 */
account: string, 
/**
 * It.
 */
leftover: LeftoverDto, };

export type TerminalOpenRequest = { 
/**
 * Id or name of the rental.
 */
rental: string, 
/**
 * Columns.
 */
cols: number, 
/**
 * Rows.
 */
rows: number, };

export type Terminal = { 
/**
 * Number.
 */
id: number, 
/**
 * Rental.
 */
rental: string, 
/**
 * Shown title.
 */
title: string, };

export type TerminalWriteRequest = { 
/**
 * Number.
 */
id: number, 
/**
 * Base64.
 */
data: string, };

export type TerminalResizeRequest = { 
/**
 * Number.
 */
id: number, 
/**
 * Columns.
 */
cols: number, 
/**
 * Rows.
 */
rows: number, };

export type TerminalReadRequest = { 
/**
 * Number.
 */
id: number, 
/**
 * Bytes read so far.
 */
offset: number, };

export type TerminalBytes = { 
/**
 * Base64.
 */
data: string, 
/**
 * Offset behind them.
 */
offset: number, 
/**
 * The exit code, once the program is over and everything was read.
 */
exit: number | null, 
/**
 * Why it ended, where that is known: host key changed, refused, unreachable.
 */
problem: ApiError | null, };

export type TerminalRequest = { 
/**
 * Number.
 */
id: number, };

export type OpenInRequest = { 
/**
 * Id or name.
 */
rental: string, 
/**
 * `terminal`, `vscode`, `cursor`.
 */
program: string, };

export type Opened = { 
/**
 * What was started; null = nothing was found.
 */
program: string | null, 
/**
 * The command that does the same.
 */
command: string, };

export type ForwardOpenRequest = { 
/**
 * Id or name.
 */
rental: string, 
/**
 * Port on the machine.
 */
remote_port: number, 
/**
 * Port here; null = a free one.
 */
local_port: number | null, 
/**
 * `jupyter`, `tensorboard`, `vllm`, or empty.
 */
preset: string, };

export type ForwardDto = { 
/**
 * Number.
 */
id: number, 
/**
 * Rental id.
 */
rental: string, 
/**
 * Port on the machine.
 */
remote_port: number, 
/**
 * Port here.
 */
local_port: number, 
/**
 * `jupyter`, `tensorboard`, `vllm`, or empty.
 */
preset: string, 
/**
 * `open`, `opening`, `retrying`, `failed`.
 */
state: string, 
/**
 * What to open in a browser.
 */
url: string, 
/**
 * Why it is not open.
 */
problem: string | null, };

export type ForwardRequest = { 
/**
 * Number.
 */
id: number, };

export type CopyStartRequest = { 
/**
 * Id or name.
 */
rental: string, 
/**
 * `to` or `from` the machine.
 */
direction: string, 
/**
 * Files and folders here (one folder for `from`).
 */
local: Array<string>, 
/**
 * Folder (or, for `from`, path) there.
 */
remote: string, };

export type CopyDto = { 
/**
 * Number.
 */
id: number, 
/**
 * Rental id.
 */
rental: string, 
/**
 * `to` or `from`.
 */
direction: string, 
/**
 * What.
 */
title: string, 
/**
 * `running`, `done`, `failed`, `cancelled`.
 */
state: string, 
/**
 * Percent; null = not known.
 */
percent: number | null, 
/**
 * Newest line of the program.
 */
line: string, 
/**
 * Why it failed.
 */
problem: string | null, };

export type CopyRequestById = { 
/**
 * Number.
 */
id: number, };

export type SshInclude = { 
/**
 * The file.
 */
file: string, 
/**
 * The line that is or would be added at its top.
 */
line: string, 
/**
 * Whether it is there and comes early enough to work.
 */
there: boolean, 
/**
 * Why it cannot be added by us.
 */
problem: string | null, };

export type SshIncludeRequest = { 
/**
 * `show`, `add`, `remove`.
 */
action: string, };

export type HostKeyAcceptRequest = { 
/**
 * Id or name.
 */
rental: string, 
/**
 * The new fingerprint as it was shown.
 */
fingerprint: string, };

export type PolicyDto = { 
/**
 * The word it is asked for by: `gdpr`.
 */
name: string, 
/**
 * What people call it.
 */
title: string, 
/**
 * Whether it comes with the desk and cannot be changed.
 */
built_in: boolean, 
/**
 * Where the machine may stand: `EEA`, `EU`, `UK`, two letters of a country, `adequacy`; empty = anywhere.
 */
place: Array<string>, 
/**
 * Where the companies that sell and run it may be, likewise.
 */
seller: Array<string>, 
/**
 * What the cloud whose iron it is must hold, all of it.
 */
certificates: Array<string>, 
/**
 * How far other tenants must be away, any of these; empty = not asked.
 */
isolation: Array<string>, 
/**
 * `block` or `warn`.
 */
on_breach: string, };

export type ProjectPolicyDto = { 
/**
 * The project; empty = launches that name none.
 */
project: string, 
/**
 * Name of the policy.
 */
policy: string, };

export type AdequacyDto = { 
/**
 * ISO 3166-1 alpha-2.
 */
country: string, 
/**
 * Number of the decision.
 */
decision: string, 
/**
 * The day it was adopted.
 */
decided: string, 
/**
 * Whom it covers, where not everybody.
 */
scope: string | null, 
/**
 * What a company there must hold to be covered.
 */
needs: string | null, 
/**
 * The day it ends.
 */
until: string | null, 
/**
 * Where the fact is from.
 */
source: string, };

export type Policies = { 
/**
 * Those that come with the desk first.
 */
policies: Array<PolicyDto>, 
/**
 * Projects that are under one.
 */
projects: Array<ProjectPolicyDto>, 
/**
 * Projects of rentals so far, to choose from.
 */
known_projects: Array<string>, 
/**
 * Certificates that can be asked for.
 */
certificates: Array<string>, 
/**
 * Isolations that can be asked for.
 */
isolations: Array<string>, 
/**
 * Zones for completion; any country is one too.
 */
zones: Array<string>, 
/**
 * Countries with an adequacy decision.
 */
adequacy: Array<AdequacyDto>, 
/**
 * Where the decisions are listed.
 */
adequacy_list: string, 
/**
 * The month that table was last looked through.
 */
adequacy_read: string, };

export type PolicySetRequest = { 
/**
 * Its name: small letters, digits, `-`.
 */
name: string, 
/**
 * What people call it.
 */
title: string, 
/**
 * As in [`PolicyDto`].
 */
place: Array<string>, 
/**
 * As in [`PolicyDto`].
 */
seller: Array<string>, 
/**
 * As in [`PolicyDto`].
 */
certificates: Array<string>, 
/**
 * As in [`PolicyDto`].
 */
isolation: Array<string>, 
/**
 * `block` or `warn`.
 */
on_breach: string, };

export type PolicyRequest = { 
/**
 * Its name.
 */
name: string, };

export type ProjectPolicyRequest = { 
/**
 * The project; empty = launches that name none.
 */
project: string, 
/**
 * Name of the policy; null = none.
 */
policy: string | null, };

export type PolicyVerdict = { 
/**
 * Name of the policy.
 */
policy: string, 
/**
 * What people call it.
 */
title: string, 
/**
 * `allowed`, `warned`, `blocked`.
 */
verdict: string, 
/**
 * Why; empty where everything is proved.
 */
reasons: Array<Remark>, 
/**
 * The reason a person overrode it with.
 */
overridden: string | null, };

export type PolicyKept = { 
/**
 * Name of the policy.
 */
policy: string, 
/**
 * What people call it.
 */
title: string, 
/**
 * Rows that break nothing of it.
 */
rows: number, 
/**
 * Rows that break it, by the first reason.
 */
hidden: Array<HiddenRows>, };

export type HiddenRows = { 
/**
 * Fixed word of the reason, as of a [`PolicyVerdict`]'s.
 */
code: string, 
/**
 * How many.
 */
rows: number, };

export type Practice = { 
/**
 * Whether this desk is at the practice market.
 */
on: boolean, 
/**
 * Why it could not be started.
 */
problem: ApiError | null, };

export type PracticeRequest = { 
/**
 * On or off.
 */
on: boolean, };

export type RangeDto = { 
/**
 * At least.
 */
low: string, 
/**
 * At most; null = not bounded.
 */
high: string | null, };

export type SpendRequest = { 
/**
 * `provider`, `project`, `owner`, `gpu`, `rental`.
 */
by: string, 
/**
 * The first day, `YYYY-MM-DD`; null = the first of this month. Days are those of UTC.
 */
from: string | null, 
/**
 * The last day; null = the last of the month of `from`.
 */
to: string | null, 
/**
 * Display currency.
 */
currency: string, };

export type SpendRow = { 
/**
 * What it sums: a provider's word, a project, an owner, a card, a rental's name; empty = none was said.
 */
key: string, 
/**
 * Shown name of it.
 */
title: string, 
/**
 * Cards.
 */
compute: string, 
/**
 * Disk while not stopped.
 */
disk: string, 
/**
 * Disk while stopped.
 */
disk_stopped: string, 
/**
 * Traffic out.
 */
traffic: RangeDto, 
/**
 * All of it.
 */
total: RangeDto, 
/**
 * Share of the measured time in which its machines did nothing; null = nothing was measured.
 */
idle_share: number | null, 
/**
 * What providers say they billed, for its rentals that lie wholly in the period, and for those of which nothing was
 * metered and that ended in it; null = none told.
 */
billed: string | null, 
/**
 * By how much that differs from the desk's own figures, by kind; empty = it does not, or nothing was billed.
 */
difference: Array<SpendDifference>, 
/**
 * How many rentals.
 */
rentals: number, 
/**
 * Whether a rate is not known somewhere, so that the figures are lower bounds.
 */
partial: boolean, };

export type SpendDifference = { 
/**
 * `traffic`, `stopped-disk`, `disk`, `price-change`, `rounding`, `tax`, `unexplained`.
 */
kind: string, 
/**
 * What the provider billed more; negative = less.
 */
amount: string, };

export type WasteDto = { 
/**
 * `idle`, `stopped-disk`, `unmanaged`, `leftover`, `oversize`, `idle-capacity`.
 */
kind: string, 
/**
 * Name of the machine, disk or address.
 */
name: string, 
/**
 * Rental id; null where it is none of ours.
 */
rental: string | null, 
/**
 * Account, for what is none of ours.
 */
account: string | null, 
/**
 * The provider's id, for what is none of ours.
 */
remote_id: string | null, 
/**
 * What it wasted in the period, in the display currency; null = not known.
 */
amount: string | null, 
/**
 * What it goes on to cost a month if nothing is done; null = not known, "0" = nothing.
 */
per_month: string | null, 
/**
 * Hours that were idle, or in which it stood; null = not known.
 */
hours: number | null, 
/**
 * Since when, RFC 3339; null = not known.
 */
since: string | null, 
/**
 * The one thing to do: `stop`, `end`, `lease`, `unmanaged` (see, adopt or end), `review`, `smaller`, `book`.
 */
remedy: string, };

export type SavingDto = { 
/**
 * `spot` or `elsewhere`.
 */
kind: string, 
/**
 * The rental's name.
 */
name: string, 
/**
 * Rental id.
 */
rental: string, 
/**
 * The offer that would have done.
 */
offer: string, 
/**
 * Shown: `8× H100 SXM · Verda FI`.
 */
title: string, 
/**
 * How much less the period would have cost, in the display currency, at that offer's price now.
 */
amount: string, 
/**
 * Hours that are compared.
 */
hours: number, 
/**
 * What the other offer risks and the rented machine did not: `taken-back`, `shared-host`, `private-host`,
 * `other-country`, `not-in-stock`.
 */
risks: Array<string>, };

export type DayAmount = { 
/**
 * A row's key.
 */
key: string, 
/**
 * In the display currency, to a hundredth of a cent.
 */
amount: string, };

export type SpendDay = { 
/**
 * `YYYY-MM-DD`, in UTC.
 */
date: string, 
/**
 * What was spent, by key; only keys that cost something.
 */
spent: Array<DayAmount>, 
/**
 * What is to come on it if leases are kept, by key; empty for days that are past.
 */
to_come: Array<DayAmount>, };

export type MoneyDto = { 
/**
 * Of `amount`.
 */
currency: string, 
/**
 * How much.
 */
amount: string, };

export type SpendPage = { 
/**
 * When it was reckoned, RFC 3339.
 */
as_of: string, 
/**
 * Display currency.
 */
currency: string, 
/**
 * The newest rates; null = none was needed or there is none. Each day that is past is converted by its own.
 */
fx: FxDto | null, 
/**
 * Rates that stand for days which are older than every rate at hand.
 */
fx_later: Array<RateLater>, 
/**
 * First day.
 */
from: string, 
/**
 * Last day.
 */
to: string, 
/**
 * What rows sum.
 */
by: string, 
/**
 * The lines, the dearest first.
 */
rows: Array<SpendRow>, 
/**
 * Their sum.
 */
total: RangeDto, 
/**
 * What runs now costs an hour, ours and what is known not to be ours; null where a rate or an exchange rate is
 * not known.
 */
burning_per_hour: string | null, 
/**
 * Machines of ours that cost something now.
 */
burning: number, 
/**
 * Machines that are not ours and cost something now; null before the accounts were looked into.
 */
burning_unmanaged: number | null, 
/**
 * Accounts that could not be looked into: what burns there and is not ours is in no figure.
 */
blind: Array<string>, 
/**
 * What the whole period will have cost; null once it is past.
 */
forecast: RangeDto | null, 
/**
 * The chart, day by day.
 */
days: Array<SpendDay>, 
/**
 * Money that does nothing, the dearest first.
 */
waste: Array<WasteDto>, 
/**
 * What `waste` comes to in the period, in the display currency.
 */
waste_total: string, 
/**
 * The same work elsewhere, the largest saving first.
 */
savings: Array<SavingDto>, 
/**
 * What could not be brought into the display currency, and is in no other figure.
 */
unconverted: Array<MoneyDto>, };

export type RateLater = { 
/**
 * Of which currency amounts were converted by it.
 */
currency: string, 
/**
 * Whose rate.
 */
source: string, 
/**
 * Its day.
 */
date: string, };

export type BudgetDto = { 
/**
 * Its name.
 */
name: string, 
/**
 * `team`, `project`, `owner`.
 */
scope: string, 
/**
 * Which project or owner; empty for the team's.
 */
of: string, 
/**
 * `week`, `month`.
 */
period: string, 
/**
 * How much.
 */
amount: string, 
/**
 * Of `amount` and `spent`.
 */
currency: string, 
/**
 * Percentages at which it is told.
 */
thresholds: Array<number>, 
/**
 * `tell`, `block`, `end`.
 */
hard: string, 
/**
 * First day of the period now.
 */
from: string, 
/**
 * Last day of it.
 */
to: string, 
/**
 * Spent so far; null where it cannot be brought into its currency.
 */
spent: string | null, 
/**
 * Share of the amount, 1 = all of it.
 */
share: number | null, 
/**
 * What the period will have cost.
 */
forecast: RangeDto | null, 
/**
 * The day on which it is used up at the present rate, `YYYY-MM-DD`; null = not in this period.
 */
used_up: string | null, };

export type BudgetSetRequest = { 
/**
 * Its name: small letters, digits and `-`.
 */
name: string, 
/**
 * `team`, `project`, `owner`.
 */
scope: string, 
/**
 * Which project or owner; empty for the team's.
 */
of: string, 
/**
 * `week`, `month`.
 */
period: string, 
/**
 * How much, decimal.
 */
amount: string, 
/**
 * Of the amount.
 */
currency: string, 
/**
 * Percentages at which it is told; empty = 50, 80, 100.
 */
thresholds: Array<number>, 
/**
 * `tell`, `block`, `end`.
 */
hard: string, };

export type BudgetRequest = { 
/**
 * Its name.
 */
name: string, };

export type BudgetEffectRequest = { 
/**
 * The offer's id.
 */
offer: string, 
/**
 * For what; null = nothing.
 */
project: string | null, 
/**
 * Disk in GB; null = the usual.
 */
disk_gb: number | null, 
/**
 * Hours of its lease; null = the desk's default.
 */
hours: number | null, };

export type BudgetEffect = { 
/**
 * The budget.
 */
name: string, 
/**
 * How much it is.
 */
amount: string, 
/**
 * Of all amounts here.
 */
currency: string, 
/**
 * Spent and, by the leases of what runs, still to be spent in its period; null = cannot be brought into its currency.
 */
before: string | null, 
/**
 * The same with the launch.
 */
after: string | null, 
/**
 * Whether the launch would pass it.
 */
passes: boolean, 
/**
 * Whether the launch is refused for it.
 */
blocks: boolean, };

export type SpendReportRequest = { 
/**
 * As for the page.
 */
spend: SpendRequest, 
/**
 * `csv` or `html` (a page to print).
 */
form: string, 
/**
 * Whether the desk opens it once it is written.
 */
open: boolean, };

export type SpendReport = { 
/**
 * The file.
 */
path: string, };

export type ActivityDto = { 
/**
 * `working`, `idle`, `parked` (memory of a card is held and nothing computes), `unknown`.
 */
state: string, 
/**
 * For how many minutes it has been idle or parked; 0 for the others.
 */
minutes: number, 
/**
 * Fixed word of why: what keeps it working, or why it cannot be judged.
 */
why: string, 
/**
 * When the lease acts on it if nothing changes, RFC 3339; null = it will not.
 */
acts_at: string | null, };

export type LeaseSetRequest = { 
/**
 * Rental.
 */
rental: string, 
/**
 * Until when, RFC 3339; null = no limit of time.
 */
until: string | null, 
/**
 * The most it may cost, decimal, in the currency of its offer; null = no limit.
 */
max_spend: string | null, 
/**
 * Minutes without work; null = it may idle.
 */
idle_minutes: number | null, 
/**
 * `notify`, `stop`, `end`.
 */
on_expiry: string, };

export type LeaseDefaults = { 
/**
 * Hours.
 */
hours: number, 
/**
 * Minutes without work after which a machine is idle; null = it may idle.
 */
idle_minutes: number | null, 
/**
 * `notify`, `stop`, `end`; null = a stop where that ends the bill of the cards, else `notify`.
 */
on_expiry: string | null, 
/**
 * Seconds that a machine's programs have to end their work before a rule stops it; 0 = none.
 */
part_s: number, };

export type GuardAct = { 
/**
 * Rental id; empty for a budget.
 */
rental: string, 
/**
 * Name of the rental or budget.
 */
name: string, 
/**
 * `warned`, `told`, `stopped`, `ended`, `shortened`, `budget`.
 */
what: string, 
/**
 * Why, in English.
 */
why: string, };

export type GuardReport = { 
/**
 * When, RFC 3339.
 */
at: string, 
/**
 * Rentals that were looked at.
 */
rentals: number, 
/**
 * What was done.
 */
acts: Array<GuardAct>, 
/**
 * Machines that are not ours.
 */
unmanaged: number, 
/**
 * Accounts that could not be looked into.
 */
blind: Array<string>, };

export type NoticeSettings = { 
/**
 * Kinds there are, in order: `ready`, `lease`, `idle`, `trouble`, `preempted`, `budget`, `unmanaged`, `price`.
 */
kinds: Array<NoticeKind>, 
/**
 * Mail; null = none is sent.
 */
mail: MailSettings | null, 
/**
 * Whether a webhook is set. Its address is kept like a key and not shown.
 */
webhook: boolean, 
/**
 * Form of what the webhook gets: `slack`, `telegram`, `json`.
 */
webhook_form: string, 
/**
 * The chat for `telegram`.
 */
webhook_chat: string, 
/**
 * What the last notice by mail or webhook came to; null = it went, or none was sent yet.
 */
problem: string | null, };

export type NoticeKind = { 
/**
 * The kind.
 */
kind: string, 
/**
 * By the system.
 */
system: boolean, 
/**
 * By mail.
 */
mail: boolean, 
/**
 * By webhook.
 */
webhook: boolean, };

export type MailSettings = { 
/**
 * SMTP server.
 */
server: string, 
/**
 * Its port.
 */
port: number, 
/**
 * `tls` (from the first byte), `starttls`, `none` (loopback only).
 */
security: string, 
/**
 * User; empty = no login.
 */
user: string, 
/**
 * Whether a password is kept.
 */
has_password: boolean, 
/**
 * From whom.
 */
from: string, 
/**
 * To whom.
 */
to: Array<string>, };

export type NoticesSetRequest = { 
/**
 * Kinds and ways.
 */
kinds: Array<NoticeKind>, 
/**
 * Mail; null = none. `has_password` is ignored.
 */
mail: MailSettings | null, 
/**
 * A new password; null = the one that is kept, "" = none.
 */
password: string | null, 
/**
 * A new address of the webhook; null = the one that is kept, "" = none.
 */
webhook: string | null, 
/**
 * Form of what the webhook gets.
 */
webhook_form: string, 
/**
 * The chat for `telegram`.
 */
webhook_chat: string, };

export type SpanDto = { 
/**
 * At least; null = not known.
 */
low: number | null, 
/**
 * At most; null = not bounded.
 */
high: number | null, };

export type PlanRequest = { 
/**
 * `training`, `finetune`, `batch`, `realtime`, `notebook`.
 */
task: string, 
/**
 * Name of a known model, loosely: `llama 3.1 70b`.
 */
model: string | null, 
/**
 * Parameters of a model by hand: `70B`, `300M`, `7e9`. Over those of `model` where both are given.
 */
params: string | null, 
/**
 * Parameters that work on one token, for a mixture of experts by hand; null = all of them.
 */
active_params: string | null, 
/**
 * Layers.
 */
layers: number | null, 
/**
 * Heads whose keys and values are kept.
 */
kv_heads: number | null, 
/**
 * Width of a head.
 */
head_dim: number | null, 
/**
 * Width of the model.
 */
hidden: number | null, 
/**
 * GPU memory in GiB by hand, instead of a model.
 */
vram_gib: number | null, 
/**
 * `bf16`, `fp8`, `int4`; null = `bf16`, and `int4` for QLoRA.
 */
precision: string | null, 
/**
 * `full`, `lora`, `qlora`: how weights are trained; null = `full` for training, `lora` for fine-tuning.
 */
method: string | null, 
/**
 * Tokens of one sequence.
 */
context: number | null, 
/**
 * Sequences at a time: requests, or the micro-batch of one card in training.
 */
concurrency: number | null, 
/**
 * Tokens to work through, all passes together: `2B`, `300M`.
 */
tokens: string | null, 
/**
 * Hours of machine time, where those are known instead.
 */
hours: number | null, 
/**
 * When it must be done: `2026-12-04` (the end of that day in UTC) or RFC 3339.
 */
deadline: string | null, 
/**
 * Whether it may be interrupted and goes on from its last checkpoint.
 */
interruptible: boolean, 
/**
 * Minutes between checkpoints; null = 30.
 */
checkpoint_minutes: number | null, 
/**
 * Name of a residency policy; null = none.
 */
policy: string | null, 
/**
 * Size of the data, GB. Where neither tokens nor hours are given it bounds the tokens.
 */
dataset_gb: number | null, 
/**
 * Disk held meanwhile, GB; null = the data and the weights.
 */
disk_gb: number | null, 
/**
 * Traffic out, GB.
 */
egress_gb: number | null, 
/**
 * Display currency.
 */
currency: string, 
/**
 * Assumptions that a person has changed.
 */
assumptions: Array<AssumptionSet>, 
/**
 * Most options wanted, at most 200.
 */
limit: number, };

export type AssumptionSet = { 
/**
 * Its name.
 */
name: string, 
/**
 * At least.
 */
low: number, 
/**
 * At most; the same as `low` for a single value.
 */
high: number, };

export type AssumptionDto = { 
/**
 * Fixed word: `training_utilisation`, …
 */
name: string, 
/**
 * The value, or the middle of its range.
 */
value: number, 
/**
 * At least.
 */
low: number, 
/**
 * At most.
 */
high: number, 
/**
 * `share`, `bytes`, `bits`, `gib`, `gb`, `tokens`, `tokens_per_s`, `hours`, `minutes`, `per_hour`, `factor`,
 * `flops`, `count`.
 */
unit: string, 
/**
 * Who says so.
 */
source: string, 
/**
 * What it is, in English.
 */
about: string, 
/**
 * `default`, `edited` by a person, `measured` here, or `asked` where it only fills what was not said.
 */
origin: string, 
/**
 * Whether it can be sent back changed in [`PlanRequest::assumptions`].
 */
edit: boolean, 
/**
 * What it is unless changed.
 */
default_low: number, 
/**
 * See above.
 */
default_high: number, };

export type PlanModelDto = { 
/**
 * Its name.
 */
name: string, 
/**
 * `decoder`, `encoder`, `speech`, `diffusion`.
 */
kind: string, 
/**
 * Parameters.
 */
params: number, 
/**
 * Parameters that work on one token.
 */
active_params: number, 
/**
 * Layers; null = not known, or no transformer of one width.
 */
layers: number | null, 
/**
 * Heads whose keys and values are kept.
 */
kv_heads: number | null, 
/**
 * Width of a head.
 */
head_dim: number | null, 
/**
 * Width of the model.
 */
hidden: number | null, 
/**
 * Longest sequence it is made for, tokens.
 */
context: number | null, 
/**
 * The page of these figures; empty where they are given by hand.
 */
source: string, };

export type MemoryPartsDto = { 
/**
 * Weights.
 */
weights_gib: number | null, 
/**
 * State of the optimizer.
 */
optimizer_gib: number | null, 
/**
 * Gradients.
 */
gradients_gib: number | null, 
/**
 * Activations.
 */
activations_gib: number | null, 
/**
 * Keys and values of all sequences.
 */
kv_cache_gib: number | null, 
/**
 * CUDA context, buffers, fragmentation.
 */
overhead_gib: number | null, };

export type MemoryFormulaDto = { 
/**
 * `weights`, `optimizer`, `gradients`, `activations`, `kv_cache`, `overhead`.
 */
part: string, 
/**
 * Both ends, GiB.
 */
gib: SpanDto, 
/**
 * The formula with its figures: `70.6e9 parameters × 2 bytes`. Empty where it does not apply.
 */
formula: string, };

export type PlanMemoryDto = { 
/**
 * All of it; `high` is null where a part is not known.
 */
total_gib: SpanDto, 
/**
 * Part by part.
 */
parts: MemoryPartsDto, 
/**
 * The same with both ends and the formula.
 */
formulas: Array<MemoryFormulaDto>, };

export type CardsNeededDto = { 
/**
 * Memory of one card, GiB.
 */
vram_gib: number, 
/**
 * Cards of that size: canonical names on the board.
 */
gpus: Array<string>, 
/**
 * Least number of cards; null = no number of them is enough.
 */
cards: number | null, 
/**
 * Memory needed of each, GiB.
 */
per_card_gib: SpanDto, 
/**
 * What must be between them: `none`, `pcie`, `nvlink`, `infiniband`.
 */
link: string, };

export type SliceDto = { 
/**
 * `1g.10gb`.
 */
profile: string, 
/**
 * Memory of it, GiB.
 */
memory_gib: number, 
/**
 * Share of the card's compute.
 */
compute_share: number, 
/**
 * Share of the card's memory bandwidth: that of its memory.
 */
bandwidth_share: number, 
/**
 * How many of it fit on one card.
 */
per_card: number, 
/**
 * The largest profile that still fits on the card beside one of it; null = none.
 */
beside: string | null, 
/**
 * Whether the option is one such slice of a card of the team's own; else it is the whole card.
 */
is_option: boolean, 
/**
 * Share of the card's cost that one slice costs: the larger of its two shares.
 */
cost_share: number, 
/**
 * Price of an hour of each in the display currency where as many as fit are used; null without a rate.
 */
per_hour_each: string | null, };

export type PlanOptionDto = { 
/**
 * The offer.
 */
offer: OfferDto, 
/**
 * How many of it.
 */
count: number, 
/**
 * Total cost; not bounded where something of it is not known at all.
 */
total: RangeDto, 
/**
 * Of the total: the display currency, or the offer's own where no rate leads to it.
 */
currency: string, 
/**
 * Hours of each machine from start to end; null ends are not known.
 */
hours: SpanDto, 
/**
 * What can go wrong, in English; empty = nothing in particular.
 */
risk: string, 
/**
 * Why it stands here, in one English sentence.
 */
reason: string, 
/**
 * The same for the window's own sentences, the worst first.
 */
risks: Array<Remark>, 
/**
 * See `reason`.
 */
why: Remark, 
/**
 * Shown name of the card.
 */
gpu_title: string, 
/**
 * Shown name of the provider.
 */
provider_title: string, 
/**
 * Price of an hour of it in the display currency; null without a rate.
 */
per_hour: string | null, 
/**
 * Memory needed of each card, GiB.
 */
per_card_gib: SpanDto, 
/**
 * Probability that it is done by the deadline, 0 to 1; null without a deadline.
 */
completion: SpanDto | null, 
/**
 * Interruptions to expect; null where it is not interrupted.
 */
interruptions: SpanDto | null, 
/**
 * Hours lost to them, of those in `hours`.
 */
lost_hours: SpanDto | null, 
/**
 * Tokens a second, all sequences together; null = not known or not asked.
 */
tokens_per_s: SpanDto | null, 
/**
 * Cost of a million tokens in the total's currency; null where the tokens are not known.
 */
per_million_tokens: RangeDto | null, 
/**
 * Share of the tokens that it works through until the deadline, where those were assumed from the size of the data.
 */
share_done: SpanDto | null, 
/**
 * The slice that it is; or, for a whole card that can be cut up, the one that would do.
 */
slice: SliceDto | null, };

export type LeftOutDto = { 
/**
 * The reason, with the figures of the nearest row.
 */
reason: Remark, 
/**
 * Rows.
 */
rows: number, 
/**
 * The row that came nearest; null where nearness means nothing.
 */
nearest: string | null, };

export type Plan = { 
/**
 * RFC 3339, when it was made.
 */
as_of: string, 
/**
 * Number of the board it was made on.
 */
board: number, 
/**
 * Display currency.
 */
currency: string, 
/**
 * Rates used.
 */
fx: FxDto | null, 
/**
 * What it needs.
 */
memory: PlanMemoryDto, 
/**
 * Everything that was assumed.
 */
assumptions: Array<AssumptionDto>, 
/**
 * Ways to do it, the best first.
 */
options: Array<PlanOptionDto>, 
/**
 * Where the best may be taken back: the best that is not, wherever it stands.
 */
firm: PlanOptionDto | null, 
/**
 * The model; null where the memory was given by hand.
 */
model: PlanModelDto | null, 
/**
 * Cards of each size on the board that it takes.
 */
cards: Array<CardsNeededDto>, 
/**
 * RFC 3339, when it must be done.
 */
deadline: string | null, 
/**
 * Tokens to work through; null = not known.
 */
tokens: SpanDto | null, 
/**
 * Options there are; `options` are the first of them.
 */
total: number, 
/**
 * Rows that were looked at.
 */
considered: number, 
/**
 * Why the others are no options, the most rows first.
 */
left_out: Array<LeftOutDto>, 
/**
 * What is missing where there is no option.
 */
missing: Remark | null, 
/**
 * Time taken.
 */
took_ms: number, };

export type PlanWhyNotRequest = { 
/**
 * The work.
 */
plan: PlanRequest, 
/**
 * The offer.
 */
offer: string, };

export type PlanWhyNot = { 
/**
 * The offer.
 */
offer: string, 
/**
 * Its place among the options, from 1; null = it is none of them.
 */
place: number | null, 
/**
 * All that speaks against it, or for it where it is the best.
 */
reasons: Array<Remark>, 
/**
 * The option it would be, where the work can be done on it at all.
 */
option: PlanOptionDto | null, };

export type OwnHosts = { 
/**
 * Those there are, by name.
 */
hosts: Array<OwnHostDto>, 
/**
 * Names in the person's SSH configuration that are none of them.
 */
aliases: Array<string>, };

export type OwnHostDto = { 
/**
 * Its name in the person's SSH configuration.
 */
alias: string, 
/**
 * `ok`, `unreachable`, `denied`, `host-key-unknown`, `host-key-changed`, `no-driver`, `driver-mismatch`,
 * `card-lost`, `no-cards`, `not-told`; null = never checked.
 */
health: string | null, 
/**
 * What is wrong; null where nothing is.
 */
detail: string | null, 
/**
 * RFC 3339, when it was last looked at.
 */
checked_at: string | null, 
/**
 * RFC 3339, when all was well for the last time: what stands here of its cards is from then.
 */
read_at: string | null, 
/**
 * Address or DNS name its name leads to.
 */
host: string | null, 
/**
 * TCP port.
 */
port: number | null, 
/**
 * User.
 */
user: string | null, 
/**
 * Its cards; empty = never read.
 */
cards: Array<OwnCardDto>, 
/**
 * `NVLink`, `NVLink between some`, `PCIe`, …; null = not told, or one card.
 */
links: string | null, 
/**
 * Driver version.
 */
driver: string | null, 
/**
 * Highest CUDA version the driver supports.
 */
cuda: string | null, 
/**
 * Processors.
 */
cores: number | null, 
/**
 * Memory of the machine, GiB.
 */
ram_gib: number | null, 
/**
 * Where it stands, in the person's words.
 */
place: string | null, 
/**
 * Country it stands in.
 */
country: string | null, 
/**
 * Country of the team.
 */
seller: string | null, 
/**
 * Whose it is.
 */
owner: string | null, 
/**
 * What it costs.
 */
cost: OwnCostDto, 
/**
 * Share of its card-hours that were booked, 0 to 1; null in its first day here, and of one never read.
 */
utilisation: number | null, 
/**
 * Who has a part of it.
 */
bookings: Array<OwnBookingDto>, 
/**
 * Whether its offers can be had.
 */
on_market: boolean, 
/**
 * Why not.
 */
off_market_why: string | null, 
/**
 * RFC 3339, since when it is known here.
 */
added_at: string, };

export type OwnCardDto = { 
/**
 * Its number on the machine.
 */
index: number, 
/**
 * UUID, or address on the bus.
 */
id: string, 
/**
 * As its driver names it.
 */
name: string, 
/**
 * Canonical name; null = the table does not know it.
 */
model: string | null, 
/**
 * Memory, GiB.
 */
vram_gib: number | null, 
/**
 * Whether it is divided into slices (MIG).
 */
divided: boolean, 
/**
 * The slices there are.
 */
slices: Array<OwnSliceDto>, 
/**
 * Name of the rental that has it whole; null = nobody.
 */
booked_by: string | null, };

export type OwnSliceDto = { 
/**
 * UUID.
 */
id: string, 
/**
 * `1g.10gb`.
 */
profile: string, 
/**
 * Share of the card's compute; null = the table of profiles does not say.
 */
compute_share: number | null, 
/**
 * Memory, GiB.
 */
memory_gib: number | null, 
/**
 * Share of the card's memory and its bandwidth.
 */
bandwidth_share: number | null, 
/**
 * Name of the rental that has it; null = nobody.
 */
booked_by: string | null, };

export type OwnCostDto = { 
/**
 * Of every amount here.
 */
currency: string, 
/**
 * What it was bought for.
 */
price: string | null, 
/**
 * When, `YYYY-MM-DD`.
 */
bought: string | null, 
/**
 * What is left of the price, by its age: `30%@18m`, `60%@12m,30%@24m`.
 */
resale: string, 
/**
 * Whether nobody said so and the usual is assumed.
 */
resale_assumed: boolean, 
/**
 * Power, place and people by the month.
 */
running: string | null, 
/**
 * All of it by the month; null = a part is not known.
 */
per_month: string | null, 
/**
 * By the hour, used or not: the price its offers follow from; null = a part is not known.
 */
per_hour: string | null, 
/**
 * By the hour in which it was used; null = its use is not known yet, or it was not used.
 */
per_used_hour: string | null, };

export type OwnBookingDto = { 
/**
 * Name of the rental; null = it is not known here.
 */
rental: string | null, 
/**
 * Ids of the cards or slices.
 */
units: Array<string>, 
/**
 * RFC 3339.
 */
since: string, };

export type OwnHostAddRequest = { 
/**
 * Its name in the person's SSH configuration.
 */
alias: string, 
/**
 * What it was bought for, a decimal; empty = not said.
 */
price: string, 
/**
 * Currency of the amounts; empty = USD.
 */
currency: string, 
/**
 * When it was bought, `YYYY-MM-DD`; empty = not said.
 */
bought: string, 
/**
 * What is left of the price, by its age: `30%@18m`, `60%@12m,30%@24m`; empty = the usual.
 */
resale: string, 
/**
 * Power, place and people by the month; empty = not said.
 */
running: string, 
/**
 * Country it stands in, two letters; empty = not said.
 */
country: string, 
/**
 * Where it stands, in the person's words; empty = not said.
 */
place: string, 
/**
 * Country of the team, two letters; empty = not said.
 */
seller: string, 
/**
 * Whose it is; empty = not said.
 */
owner: string, };

export type OwnHostRequest = { 
/**
 * Its name; empty = all of them, where that makes sense.
 */
alias: string, };

export type BuyGiven = { 
/**
 * `price`, `running`, `watts`, `draw`, `pue`, `kwh`, `place`, `people`, `capital`, `resale`, `term`, `rent`,
 * `reserved`, `spot`, `utilisation`.
 */
name: string, 
/**
 * `30000`, `30%@18m` (resale), `18m` (term), `8%` (capital, draw, utilisation). What it may be instead may follow
 * a colon: `30000:27000..33000`.
 */
value: string, };

export type BuyRequest = { 
/**
 * Model of the GPU table; null = none is named.
 */
gpu: string | null, 
/**
 * Cards.
 */
count: number, 
/**
 * Where the power is bought: a country, a part of one such as `US-TX`, or `EU`; null = power is not reckoned apart.
 */
country: string | null, 
/**
 * An offer whose price is the rent that is compared with; null = the market's.
 */
offer: string | null, 
/**
 * Display currency, and that of all money given.
 */
currency: string, 
/**
 * The figures that are given.
 */
given: Array<BuyGiven>, };

export type BuyInput = { 
/**
 * As in [`BuyGiven`].
 */
name: string, 
/**
 * What is reckoned with; null = not known. A share of one where `unit` is a share.
 */
value: string | null, 
/**
 * `money/card`, `money/card/month`, `money/month`, `money/card/hour`, `money/kWh`, `W`, `share`, `share/year`,
 * `factor`, `months`.
 */
unit: string, 
/**
 * The least it may be; null = it is taken as certain.
 */
low: string | null, 
/**
 * The most.
 */
high: string | null, 
/**
 * Where the value is from: `given`, `table`, `board`, `offer`, `assumed`, `missing`.
 */
origin: string, 
/**
 * The same in words, with its date.
 */
source: string, 
/**
 * Whether `low` and `high` are the desk's usual ones, not given.
 */
usual_range: boolean, };

export type BuyBand = { 
/**
 * Share of the month, where everything speaks for owning.
 */
low: number | null, 
/**
 * The same where everything speaks against it.
 */
high: number | null, 
/**
 * Hours a month.
 */
low_hours: number | null, 
/**
 * Hours a month.
 */
high_hours: number | null, 
/**
 * Months of use at the given utilisation.
 */
low_months: number | null, 
/**
 * Months of use at the given utilisation.
 */
high_months: number | null, };

export type BuyPoint = { 
/**
 * Share of all hours.
 */
utilisation: number, 
/**
 * Owning.
 */
owned_per_hour: string | null, 
/**
 * Renting by the hour.
 */
rent_per_hour: string | null, 
/**
 * Renting for a term: paid for all hours.
 */
reserved_per_hour: string | null, 
/**
 * Renting by the hour what may be taken away.
 */
spot_per_hour: string | null, };

export type BuyPart = { 
/**
 * `depreciation`, `capital`, `power`, `place`, `people`, `running`.
 */
name: string, 
/**
 * Of all cards.
 */
amount: string, };

export type BuySwing = { 
/**
 * Which figure.
 */
name: string, 
/**
 * Its least; of the resale the share left at the end of the term.
 */
low: string, 
/**
 * Its most.
 */
high: string, 
/**
 * Hours of rent a month that owning costs at its least, also where a month has not so many.
 */
low_hours: number | null, 
/**
 * The same at its most.
 */
high_hours: number | null, };

export type BuyAgainst = { 
/**
 * `on-demand`, `reserved`, `spot`.
 */
kind: string, 
/**
 * Price of a card-hour.
 */
per_hour: string, 
/**
 * Hours a month from which on owning is cheaper; null = never. Of `reserved`, which is paid for whole months, 0 =
 * always.
 */
hours: number | null, };

export type BuyAnswer = { 
/**
 * When it was reckoned, RFC 3339.
 */
as_of: string, 
/**
 * Of all money.
 */
currency: string, 
/**
 * By which rates; null = none was needed or there is none.
 */
fx: FxDto | null, 
/**
 * The model.
 */
gpu: string | null, 
/**
 * Cards.
 */
count: number, 
/**
 * What a month of owning all cards costs; null = something is missing.
 */
monthly_cost_owned: string | null, 
/**
 * Hours of use a month, of each card, from which on owning is cheaper; null = see `reason`.
 */
break_even_hours_per_month: number | null, 
/**
 * The same as a share of the month.
 */
break_even_utilisation: number | null, 
/**
 * Hours of rent that a month of owning costs, also where a month has not so many.
 */
needed_hours: number | null, 
/**
 * Why there is no break-even, in words.
 */
reason: string | null, 
/**
 * The same as a word: `beyond-a-month`, `rent-is-nothing`, `missing`.
 */
reason_code: string | null, 
/**
 * Hours of a month.
 */
month_hours: number, 
/**
 * Over all that is assumed; null = something is missing.
 */
band: BuyBand | null, 
/**
 * Share of all hours that is used; null = it was not said.
 */
utilisation: number | null, 
/**
 * Months of use at it until owning, with a sale then, has cost no more than renting; null = not within the term,
 * or no utilisation was said.
 */
break_even_months: number | null, 
/**
 * What is left of the price at the end of the term.
 */
resale_share: number | null, 
/**
 * What a month is made of.
 */
parts: Array<BuyPart>, 
/**
 * Everything that was put in, with where it is from.
 */
inputs: Array<BuyInput>, 
/**
 * Names of what has to be said before anything can be reckoned.
 */
missing: Array<string>, 
/**
 * Costs of an hour that is used.
 */
curve: Array<BuyPoint>, 
/**
 * What moves the answer, the most first.
 */
sensitivity: Array<BuySwing>, 
/**
 * Ways to rent.
 */
against: Array<BuyAgainst>, };

export type BuyModel = { 
/**
 * Its name.
 */
name: string, 
/**
 * Whether a public source states what it costs to buy.
 */
priced: boolean, };

export type BuyPlace = { 
/**
 * Its code.
 */
place: string, 
/**
 * English name.
 */
name_en: string, 
/**
 * Russian name.
 */
name_ru: string, 
/**
 * Price of a kWh.
 */
per_kwh: string, 
/**
 * Its currency.
 */
currency: string, 
/**
 * Year or month that it is of.
 */
dated: string, };

export type BuyChoices = { 
/**
 * Models of the GPU table, those with a known price first.
 */
models: Array<BuyModel>, 
/**
 * Prices of power.
 */
places: Array<BuyPlace>, };

export type BuyReportRequest = { 
/**
 * As for the comparison.
 */
buy: BuyRequest, 
/**
 * `csv` or `html` (a page to print).
 */
form: string, 
/**
 * Language of the page: `en`, `ru`.
 */
language: string, 
/**
 * Whether the desk opens it once it is written.
 */
open: boolean, };

/** Every command: what it takes and what it gives. */
export interface Commands {
  market_page: { request: MarketPageRequest; response: MarketPage };
  market_groups: { request: MarketPageRequest; response: GroupsPage };
  query_parse: { request: LineRequest; response: ParsedLine };
  query_edit: { request: EditRequest; response: ParsedLine };
  offer_details: { request: OfferDetailsRequest; response: OfferDetails };
  offer_page_open: { request: OfferPageRequest; response: OfferPage };
  offers_compare: { request: CompareRequest; response: Comparison };
  offers_copy: { request: CopyRequest; response: CopyText };
  sources_list: { request: null; response: Array<SourceStatus> };
  sources_refresh: { request: RefreshRequest; response: RefreshReport };
  quarantine_list: { request: QuarantineRequest; response: QuarantinePage };
  settings_get: { request: null; response: Settings };
  settings_set: { request: Settings; response: Settings };
  rates_get: { request: null; response: RatesInfo };
  watches_list: { request: null; response: Array<Watch> };
  watch_add: { request: WatchAddRequest; response: Array<Watch> };
  watch_remove: { request: WatchRemoveRequest; response: Array<Watch> };
  diagnostics_get: { request: null; response: Diagnostics };
  accounts_list: { request: null; response: Accounts };
  account_add: { request: AccountAddRequest; response: Accounts };
  account_check: { request: AccountRequest; response: Accounts };
  account_remove: { request: AccountRequest; response: Accounts };
  launch_sheet: { request: LaunchSheetRequest; response: LaunchSheet };
  offer_end: { request: OfferEndRequest; response: OfferEnd };
  launch: { request: LaunchRequest; response: LaunchOutcome };
  rentals_list: { request: RentalsRequest; response: RentalsPage };
  rental_get: { request: RentalRequest; response: RentalDetails };
  rental_stop: { request: RentalRequest; response: RentalDto };
  rental_start: { request: RentalRequest; response: RentalDto };
  rental_end_checklist: { request: RentalRequest; response: EndChecklist };
  rental_end: { request: RentalRequest; response: RentalDto };
  rental_extend: { request: ExtendRequest; response: RentalDto };
  unmanaged_act: { request: UnmanagedRequest; response: RentalsPage };
  reconcile: { request: null; response: ReconcileReport };
  terminal_open: { request: TerminalOpenRequest; response: Terminal };
  terminal_write: { request: TerminalWriteRequest; response: null };
  terminal_resize: { request: TerminalResizeRequest; response: null };
  terminal_read: { request: TerminalReadRequest; response: TerminalBytes };
  terminal_close: { request: TerminalRequest; response: null };
  open_in: { request: OpenInRequest; response: Opened };
  forwards_list: { request: null; response: Array<ForwardDto> };
  forward_open: { request: ForwardOpenRequest; response: ForwardDto };
  forward_close: { request: ForwardRequest; response: Array<ForwardDto> };
  copy_start: { request: CopyStartRequest; response: CopyDto };
  copy_cancel: { request: CopyRequestById; response: CopyDto };
  ssh_include: { request: SshIncludeRequest; response: SshInclude };
  host_key_accept: { request: HostKeyAcceptRequest; response: RentalDto };
  hosts_list: { request: null; response: OwnHosts };
  host_add: { request: OwnHostAddRequest; response: OwnHosts };
  hosts_check: { request: OwnHostRequest; response: OwnHosts };
  host_remove: { request: OwnHostRequest; response: OwnHosts };
  policies_list: { request: null; response: Policies };
  policy_set: { request: PolicySetRequest; response: Policies };
  policy_remove: { request: PolicyRequest; response: Policies };
  project_policy_set: { request: ProjectPolicyRequest; response: Policies };
  rental_lease_set: { request: LeaseSetRequest; response: RentalDto };
  rental_keep: { request: RentalRequest; response: RentalDto };
  guard_once: { request: null; response: GuardReport };
  spend_page: { request: SpendRequest; response: SpendPage };
  spend_report: { request: SpendReportRequest; response: SpendReport };
  budgets_list: { request: null; response: Array<BudgetDto> };
  budget_set: { request: BudgetSetRequest; response: Array<BudgetDto> };
  budget_remove: { request: BudgetRequest; response: Array<BudgetDto> };
  budget_effect: { request: BudgetEffectRequest; response: Array<BudgetEffect> };
  buy_compare: { request: BuyRequest; response: BuyAnswer };
  buy_choices: { request: null; response: BuyChoices };
  buy_report: { request: BuyReportRequest; response: SpendReport };
  notices_get: { request: null; response: NoticeSettings };
  notices_set: { request: NoticesSetRequest; response: NoticeSettings };
  notices_try: { request: null; response: NoticeSettings };
  plan_options: { request: PlanRequest; response: Plan };
  plan_models: { request: null; response: Array<PlanModelDto> };
  plan_why_not: { request: PlanWhyNotRequest; response: PlanWhyNot };
  practice_get: { request: null; response: Practice };
  practice_set: { request: PracticeRequest; response: Practice };
}

/** Which events make the answer of a command stale. */
export const reads = {
  market_page: ["board", "rates", "policies"],
  market_groups: ["board", "rates", "policies"],
  query_parse: [],
  query_edit: [],
  offer_details: ["board", "rates", "policies"],
  offer_page_open: [],
  offers_compare: ["board", "rates"],
  offers_copy: [],
  sources_list: ["sources", "board"],
  sources_refresh: [],
  quarantine_list: ["board"],
  settings_get: ["settings"],
  settings_set: [],
  rates_get: ["rates"],
  watches_list: ["watches", "board", "policies"],
  watch_add: [],
  watch_remove: [],
  diagnostics_get: [],
  accounts_list: ["accounts"],
  account_add: [],
  account_check: [],
  account_remove: [],
  launch_sheet: ["board", "accounts", "policies"],
  offer_end: ["accounts"],
  launch: [],
  rentals_list: ["rentals", "accounts", "rates"],
  rental_get: ["rentals"],
  rental_stop: [],
  rental_start: [],
  rental_end_checklist: [],
  rental_end: [],
  rental_extend: [],
  unmanaged_act: [],
  reconcile: [],
  terminal_open: [],
  terminal_write: [],
  terminal_resize: [],
  terminal_read: [],
  terminal_close: [],
  open_in: [],
  forwards_list: ["forwards"],
  forward_open: [],
  forward_close: [],
  copy_start: [],
  copy_cancel: [],
  ssh_include: [],
  host_key_accept: [],
  hosts_list: ["hosts", "rentals"],
  host_add: [],
  hosts_check: [],
  host_remove: [],
  policies_list: ["policies", "rentals"],
  policy_set: [],
  policy_remove: [],
  project_policy_set: [],
  rental_lease_set: [],
  rental_keep: [],
  guard_once: [],
  spend_page: ["rentals", "accounts", "rates", "board"],
  spend_report: [],
  budgets_list: ["budgets", "rentals", "rates"],
  budget_set: [],
  budget_remove: [],
  budget_effect: ["budgets", "rentals", "rates", "board"],
  buy_compare: ["board", "rates"],
  buy_choices: [],
  buy_report: [],
  notices_get: ["notices"],
  notices_set: [],
  notices_try: [],
  plan_options: ["board", "rates", "policies", "rentals"],
  plan_models: [],
  plan_why_not: ["board", "rates", "policies", "rentals"],
  practice_get: ["practice"],
  practice_set: [],
} as const;
