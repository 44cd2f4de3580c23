import { m } from "../../paraglide/messages.js";
import type { Remark } from "../host/bindings";
import { money } from "../format/money";
import { number, share } from "../format/number";
import { duration } from "../format/time";
import { remarkText } from "../rental/remarks";
import { gibShort } from "./words";

type Figures = Record<string, string>;

/** Null where the figures do not suffice: a desk of another version may send fewer. */
type Say = (figures: Figures) => string | null;

/** A sentence of these figures, all of which it needs. */
function of<Key extends string>(keys: readonly Key[], say: (given: Record<Key, string>) => string): Say {
  return (figures) =>
    keys.every((key) => figures[key] !== undefined) ? say(figures as Record<Key, string>) : null;
}

const gib = (value: string) => gibShort(Number(value));
const span = (hours: string) => duration(Number(hours) * 3600);

/** Why an offer is no option, or nothing is. */
const against: Record<string, Say> = {
  quarantined: () => m.why_quarantined(),
  policy: () => m.why_policy(),
  "out-of-stock": () => m.why_out_of_stock(),
  interruptible: () => m.why_interruptible(),
  "memory-unknown": () => m.why_memory_unknown(),
  memory: (figures) =>
    of(["needs_gib", "has_gib", "most_gib"], ({ needs_gib, has_gib, most_gib }) =>
      m.missing_memory({ needs: gib(needs_gib), has: gib(has_gib), most: gib(most_gib) }),
    )(figures) ??
    of(["needs_gib", "has_gib"], ({ needs_gib, has_gib }) =>
      m.why_too_small({ needs: gib(needs_gib), has: gib(has_gib) }),
    )(figures),
  "no-link": () => m.why_no_link(),
  "no-fabric": () => m.why_no_fabric(),
  "speed-unknown": () => m.why_speed_unknown(),
  late: of(["hours", "deadline_hours"], ({ hours, deadline_hours }) =>
    m.why_late({ hours: span(hours), deadline: span(deadline_hours) }),
  ),
  "too-slow": of(["tokens_per_s", "wanted"], ({ tokens_per_s, wanted }) =>
    m.why_too_slow({ speed: number(Number(tokens_per_s), 0, 1), wanted: number(Number(wanted), 0, 1) }),
  ),
  "other-model": () => m.why_other_model(),
  "tokens-unknown": () => m.why_tokens_unknown(),
  "no-price": () => m.why_no_price(),
  "no-offers": () => m.missing_no_offers(),
  none: of(["why", "rows", "considered"], ({ why, rows, considered }) => {
    const first = against[why]?.({}) ?? null;
    return first === null
      ? m.missing_none({ rows, considered })
      : `${first} ${m.missing_none({ rows, considered })}`;
  }),
};

/** What can go wrong with an option. */
const risks: Record<string, Say> = {
  unfinished: () => m.risk_unfinished(),
  held: () => m.risk_held(),
  "may-be-late": () => m.risk_may_be_late(),
  interruption: () => m.risk_interruption(),
  "memory-open": () => m.risk_memory_open(),
  "mig-off": () => m.risk_mig_off(),
  "slow-at-times": () => m.risk_slow_at_times(),
  pcie: () => m.risk_pcie(),
  several: () => m.risk_several(),
  bid: () => m.risk_bid(),
  reserved: () => m.risk_reserved(),
  "worker-start": () => m.risk_worker_start(),
  "stock-unknown": () => m.risk_stock_unknown(),
  "private-host": () => m.risk_private_host(),
  "other-software": () => m.risk_other_software(),
  "model-unknown": () => m.flag_model_unknown(),
};

/** What it does and how much dearer it is, behind why it stands where it does. */
function does(figures: Figures): string {
  const { machines, needs_gib, has_gib, cards, percent } = figures;
  return [
    Number(machines ?? 1) > 1 ? m.does_machines({ n: machines ?? "" }) : "",
    needs_gib && has_gib
      ? Number(cards ?? 1) > 1
        ? m.does_memory_each({ needs: gib(needs_gib), has: gib(has_gib), cards: cards ?? "" })
        : m.does_memory({ needs: gib(needs_gib), has: gib(has_gib) })
      : "",
    percent === undefined || percent === "0"
      ? ""
      : Number(percent) < 0
        ? m.does_cheaper({ percent: percent.replace("-", "") })
        : m.does_dearer({ percent }),
  ]
    .filter((part) => part !== "")
    .join(", ");
}

const stands: Record<string, Say> = {
  "own-slice": of(["slice", "cost_share"], ({ slice, cost_share }) =>
    m.stands_own_slice({ slice, share: share(Number(cost_share)) }),
  ),
  own: () => m.stands_own(),
  cheapest: () => m.stands_cheapest(),
  tokens: () => m.stands_tokens(),
  firm: () => m.stands_firm(),
  fastest: () => m.stands_fastest(),
  slice: () => m.stands_slice(),
  "less-sure": () => m.stands_less_sure(),
  dearer: () => m.stands_dearer(),
};

/** What else fits on the card, where a slice of it is enough. */
function cut({ slice, per_card, each, currency, beside }: Figures): string {
  if (!slice || !per_card) return "";
  const fit =
    each && currency
      ? m.does_slice_each({ slice, n: per_card, price: money(each, currency) })
      : m.does_slice({ slice, n: per_card });
  return ` ${fit}${beside ? ` ${m.does_beside({ beside })}` : ""}`;
}

/** Why an option stands where it does, in the reader's language. */
export function whyText({ code, figures, text }: Remark): string {
  const stand = stands[code]?.(figures) ?? null;
  if (stand === null) return text;
  const said = does(figures);
  return `${stand}${said === "" ? "" : `: ${said}`}.${cut(figures)}`;
}

/** How an offer compares with the best option. */
const compared: Record<string, Say> = {
  best: () => m.compared_best(),
  alike: of(["offer", "percent"], m.compared_alike),
  "less-sure": of(["offer"], m.compared_less_sure),
  dearer: of(["offer", "percent"], m.compared_dearer),
};

/** What can go wrong with an option. */
export function riskText(remark: Remark): string {
  return risks[remark.code]?.(remark.figures) ?? remarkText(remark);
}

/** Why an offer is no option, or how it compares. */
export function againstText(remark: Remark): string {
  const { code, figures } = remark;
  return compared[code]?.(figures) ?? against[code]?.(figures) ?? remarkText(remark);
}
