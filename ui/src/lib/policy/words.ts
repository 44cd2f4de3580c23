import { m } from "../../paraglide/messages.js";
import { country } from "../format/place";
import { isolation } from "../offer/words";

type Words = Record<string, () => string>;

/** Policies that come with the desk are named in the reader's language; a team's own as the team calls them. */
const titles: Words = { gdpr: m.policy_gdpr, "152-fz": m.policy_152fz };
const names: Words = { gdpr: m.policy_gdpr_short, "152-fz": m.policy_152fz_short };

const certificates: Words = {
  "iso-27001": () => "ISO 27001",
  "iso-42001": () => "ISO 42001",
  "soc-2": () => "SOC 2",
  hds: () => "HDS",
  "152-fz": m.policy_152fz_short,
  dpf: () => "EU-US DPF",
};

const hidden: Words = {
  "operator-hidden": m.hidden_operator,
  "place-elsewhere": m.hidden_place,
  "place-unknown": m.hidden_place_unknown,
  "seller-elsewhere": m.hidden_seller,
  "seller-unknown": m.hidden_seller_unknown,
  "seller-not-covered": m.hidden_not_covered,
  "not-certified": m.hidden_certificate,
  "isolation-other": m.hidden_isolation,
  "isolation-unknown": m.hidden_isolation_unknown,
};

const verdicts: Words = {
  allowed: m.verdict_allowed,
  warned: m.verdict_warned,
  blocked: m.verdict_blocked,
};

/** What a policy is called. */
export function policyTitle(name: string, title: string): string {
  return titles[name]?.() ?? title;
}

/** What a policy is called where there is little room. */
export function policyName(name: string, title: string): string {
  return names[name]?.() ?? title;
}

/** An area of law: a union of countries, a country, or every adequate one. */
export function area(word: string): string {
  if (word === "adequacy") return m.area_adequacy();
  if (word === "EEA") return m.zone_eea();
  if (word === "EU") return m.zone_eu();
  return country(word === "UK" ? "GB" : word);
}

/** Areas as they come in a figure: `EEA, CH`. */
export function areas(words: string): string {
  return words.split(", ").map(area).join(", ");
}

/** A certificate's name. */
export function certificate(word: string): string {
  return certificates[word]?.() ?? word;
}

/** Isolations as they come in a figure. */
export function isolations(words: string): string {
  return words.split(", ").map(isolation).join(", ");
}

/** Why rows are hidden, in a few words. */
export function hiddenWord(code: string): string {
  return hidden[code]?.() ?? code;
}

/** Allowed, with a warning, forbidden. */
export function verdictWord(verdict: string): string {
  return verdicts[verdict]?.() ?? verdict;
}
