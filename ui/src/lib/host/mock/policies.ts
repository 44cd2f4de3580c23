import type { OfferDto, OfferRow, Policies, PolicyKept, PolicyVerdict, Remark } from "../bindings";
import { mockMatches } from "./query";

// The policies that come with the desk, as simple as tests and work on the looks need them: place and seller by zone.

const built = { built_in: true, certificates: [], isolation: [], on_breach: "block" };
const russian = { ...built, name: "152-fz", title: "Personal data of Russian citizens (152-FZ)" };
const european = { ...built, name: "gdpr", title: "Personal data under the GDPR" };

/** What the desk knows of policies. */
export function mockPolicies(): Policies {
  return {
    policies: [
      { ...russian, place: ["RU"], seller: ["RU"] },
      { ...european, place: ["EEA"], seller: ["EEA", "adequacy"] },
    ],
    projects: [],
    known_projects: ["llama"],
    certificates: ["iso-27001", "soc-2", "152-fz"],
    isolations: ["dedicated-host", "vm", "shared-host"],
    zones: ["EEA", "EU", "UK", "CH", "US", "RU"],
    adequacy: [
      {
        country: "CH",
        decision: "2000/518/EC",
        decided: "2000-07-26",
        scope: null,
        needs: null,
        until: null,
        source: "",
      },
    ],
    adequacy_list: "commission.europa.eu",
    adequacy_read: "2026-11",
  };
}

function reasons({ place }: OfferDto, zone: string): Remark[] {
  const text = "It stands elsewhere.";
  if (place.country === null) return [{ code: "place-unknown", text, weight: "block", figures: {} }];
  if (place.zones.includes(zone)) return [];
  const figures = { country: place.country, wanted: zone };
  return [{ code: "place-elsewhere", text, weight: "block", figures }];
}

/** What each policy says of an offer. */
export function mockVerdicts(offer: OfferDto): PolicyVerdict[] {
  return [
    { ...russian, zone: "RU" },
    { ...european, zone: "EEA" },
  ].map(({ name, title, zone }) => {
    const why = reasons(offer, zone);
    return {
      policy: name,
      title,
      verdict: why.length > 0 ? "blocked" : "allowed",
      reasons: why,
      overridden: null,
    };
  });
}

/** Names of the policies that an offer does not break. */
export function mockAllowed(offer: OfferDto): string[] {
  return mockVerdicts(offer).flatMap(({ policy, verdict }) => (verdict === "allowed" ? [policy] : []));
}

/** What each policy would keep and hide. */
export function mockKept(rows: OfferRow[], line: string): PolicyKept[] {
  const others = mockMatches(rows, line, "policy");
  return [russian, european].map(({ name, title }) => {
    const kept = others.filter((row) => mockAllowed(row.offer).includes(name)).length;
    const hidden = [{ code: "place-elsewhere", rows: others.length - kept }].filter(({ rows: n }) => n > 0);
    return { policy: name, title, rows: kept, hidden };
  });
}
