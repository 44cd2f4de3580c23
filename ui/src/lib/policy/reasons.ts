import { m } from "../../paraglide/messages.js";
import { country } from "../format/place";
import { areas, certificate, isolations } from "./words";

type Figures = Record<string, string>;

/** What breaks a policy, or is to be known of it. Null where the figures do not suffice. */
const reasons: Record<string, (figures: Figures) => string | null> = {
  "operator-hidden": ({ cloud }) => (cloud ? m.policy_operator_hidden({ cloud }) : null),
  "place-elsewhere": ({ country: at, wanted }) =>
    at && wanted ? m.policy_place_elsewhere({ country: country(at), wanted: areas(wanted) }) : null,
  "place-unknown": ({ region }) => (region ? m.policy_place_unproved({ region }) : m.policy_place_unknown()),
  "seller-elsewhere": ({ company, country: at, wanted }) =>
    company && at && wanted
      ? m.policy_seller_elsewhere({ company, country: country(at), wanted: areas(wanted) })
      : null,
  "seller-unknown": ({ company }) => (company ? m.policy_seller_unknown({ company }) : null),
  "seller-not-covered": ({ company, country: at, certificate: needed }) =>
    company && at && needed
      ? m.policy_seller_not_covered({ company, country: country(at), certificate: certificate(needed) })
      : null,
  "not-certified": ({ company, certificate: needed }) =>
    company && needed ? m.policy_not_certified({ company, certificate: certificate(needed) }) : null,
  "certificate-recalled": ({ company, certificate: held, source, dated }) =>
    company && held && source && dated
      ? m.policy_recalled({ company, certificate: certificate(held), source, dated })
      : null,
  "isolation-other": ({ isolation, wanted }) =>
    isolation && wanted
      ? m.policy_isolation_other({ isolation: isolations(isolation), wanted: isolations(wanted) })
      : null,
  "isolation-unknown": () => m.policy_isolation_unknown(),
  "not-read-back": () => m.policy_not_read_back(),
};

/** Before the code of a reason where the machine itself breaks the policy, against its offer. */
const found = "policy-";

/** A reason in the reader's language; null where this window has no words for it. */
export function reasonText(code: string, figures: Figures): string | null {
  if (!code.startsWith(found)) return reasons[code]?.(figures) ?? null;
  const why = reasonText(code.slice(found.length), figures);
  return why && m.policy_broken({ why });
}
