import { m } from "../../paraglide/messages.js";
import { country } from "../format/place";

type Words = Record<string, () => string>;

const forms: Words = {
  vm: m.form_vm,
  "bare-metal": m.form_bare_metal,
  container: m.form_container,
  cluster: m.form_cluster,
  fraction: m.form_fraction,
  serverless: m.form_serverless,
  own: m.source_own,
};

const isolations: Words = {
  "dedicated-host": m.isolation_dedicated,
  vm: m.isolation_vm,
  "shared-host": m.isolation_shared,
};

const kinds: Words = {
  "on-demand": m.kind_on_demand,
  spot: m.kind_spot,
  reserved: m.kind_reserved,
  bid: m.kind_bid,
};

const supplies: Words = {
  "in-stock": m.supply_in_stock,
  none: m.supply_none,
  unknown: m.supply_unknown,
};

const sources: Words = {
  live: m.source_live,
  catalogue: m.source_catalogue,
  own: m.source_own,
};

const reasons: Words = {
  "price-missing": m.reason_price_missing,
  "price-impossible": m.reason_price_impossible,
  "price-absurd": m.reason_price_absurd,
  "vram-contradicts-model": m.reason_vram,
  "count-impossible": m.reason_count,
  duplicate: m.reason_duplicate,
  unreadable: m.reason_unreadable,
  "incomplete-price": m.reason_incomplete,
  expired: m.reason_expired,
};

const flags: Words = {
  "price-suspect": m.flag_price_suspect,
  "vram-contradicts-model": m.reason_vram,
  "country-unknown": m.flag_country_unknown,
  stale: m.flag_stale,
  "model-unknown": m.flag_model_unknown,
};

/** A word that is not in the list is shown as it came: a newer desk may know more words than this window. */
function say(words: Words, word: string): string {
  return words[word]?.() ?? word;
}

/** VM, bare metal, container, … */
export const form = (word: string) => say(forms, word);

/** How far other tenants are away. */
export const isolation = (word: string) => say(isolations, word);

/** On demand, spot, reserved, bid. */
export const kind = (word: string) => say(kinds, word);

/** In stock, none, not said. */
export const supply = (word: string) => say(supplies, word);

/** Whose machine it is, by whether it stands in a data centre. */
export const host = (datacenter: boolean) => (datacenter ? m.host_datacenter() : m.host_private());

/** Live, price list, own server. */
export const source = (word: string) => say(sources, word);

/** A residency zone in words: a union of countries, or a country that is a zone of its own. */
export function zone(word: string): string {
  const [place = word, seller] = word.split("+");
  if (seller) return m.zone_own_seller({ zone: zone(place) });
  if (word === "EEA") return m.zone_eea();
  if (word === "EU") return m.zone_eu();
  return country(word === "UK" ? "GB" : word);
}

/** A residency zone as short as it goes: a union by its letters, a country by its own. */
export function zoneTag(word: string): string {
  return word === "EEA" || word === "EU" ? zone(word) : word;
}

/** Why a row is in quarantine. */
export const reason = (code: string) => say(reasons, code);

/** What to know before trusting a row. */
export function flag(word: string): string {
  return word.startsWith("duplicate-of:")
    ? m.flag_duplicate({ id: word.slice("duplicate-of:".length) })
    : say(flags, word);
}

/** The shown text of a facet's value. Names (cards, clouds, links) come from the desk; fixed words are said here. */
export function facetValue(key: string, value: string, title: string): string {
  if (value === "unknown" && key !== "supply") return m.unknown();
  switch (key) {
    case "form":
      return form(value);
    case "zone":
      return zone(value.toUpperCase());
    case "kind":
      return kind(value);
    case "seller":
      return country(value.toUpperCase());
    case "source":
      return source(value);
    case "supply":
      return supply(value);
    default:
      return title || value;
  }
}
