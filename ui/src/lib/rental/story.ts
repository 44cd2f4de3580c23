import { m } from "../../paraglide/messages.js";
import { words as inOurWords } from "../error/russian";
import { exact } from "../format/money";
import { duration } from "../format/time";
import type { EventDto, RentalDto } from "../host/bindings";
import { policyTitle, verdictWord } from "../policy/words";
import { expiryWord } from "./guard";
import { stateWord } from "./state";

type Figures = Record<string, unknown>;

function text(figures: Figures, key: string): string {
  const value = figures[key];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function inside(figures: Figures, key: string): Figures {
  const value = figures[key];
  return typeof value === "object" && value !== null ? (value as Figures) : {};
}

function who(figures: Figures): string {
  const words: Record<string, () => string> = {
    person: m.who_person,
    desk: m.who_desk,
    provider: m.who_provider,
    box: m.who_box,
  };
  const by = text(figures, "by");
  return words[by]?.() ?? by;
}

function withWords(said: string, words: string): string {
  return words === "" ? said : `${said}: ${inOurWords(words)}`;
}

function rate(figures: Figures, rental: RentalDto): string | null {
  const amount = text(figures, "per_hour");
  return amount === "" ? null : exact(amount, rental.rate.currency);
}

type Say = (figures: Figures, rental: RentalDto) => string | null;

/** One sentence an event. Null where the figures do not suffice: the desk's own line is shown then. */
const sentences: Record<string, Say> = {
  requested: (figures, rental) => {
    const price = rate(figures, rental);
    return price && m.story_requested({ price });
  },
  "launch-sent": (figures) => {
    const attempt = text(figures, "attempt");
    return attempt === "1" || attempt === "" ? m.story_sent() : m.story_sent_again({ n: attempt });
  },
  "launch-unclear": (figures) => withWords(m.story_unclear(), text(figures, "words")),
  "launch-refused": (figures) => withWords(m.story_refused_launch(), text(figures, "words")),
  placed: (figures) => {
    const id = text(figures, "remote_id");
    return figures.found === true ? m.story_found({ id }) : m.story_placed({ id });
  },
  adopted: (figures) => m.story_adopted({ id: text(figures, "remote_id") }),
  seen: (figures) => {
    const detail = text(figures, "detail");
    const state = text(figures, "state");
    return state === "" ? null : withWords(m.story_seen({ state: stateWord(state) }), detail);
  },
  address: (figures) => {
    const ssh = inside(figures, "ssh");
    const host = text(ssh, "host");
    return host === "" ? null : m.story_address({ address: `${host}:${text(ssh, "port")}` });
  },
  answered: () => m.story_answered(),
  "host-key": (figures) =>
    figures.replaced === true
      ? m.story_key_replaced({ fingerprint: text(figures, "fingerprint") })
      : m.story_key({ fingerprint: text(figures, "fingerprint") }),
  verified: (figures) => {
    const report = inside(figures, "verification");
    if (report.ok === true) return m.story_as_promised();
    return report.ok === false ? m.story_differs() : null;
  },
  "stop-asked": (figures) => withWords(m.story_stop_asked({ who: who(figures) }), text(figures, "why")),
  "start-asked": (figures) => m.story_start_asked({ who: who(figures) }),
  "end-asked": (figures) => withWords(m.story_end_asked({ who: who(figures) }), text(figures, "why")),
  accepted: (figures) => {
    const took: Record<string, () => string> = {
      stop: m.story_took_stop,
      start: m.story_took_start,
      end: m.story_took_end,
    };
    return took[text(figures, "what")]?.() ?? null;
  },
  refused: (figures) => withWords(m.story_refused(), text(figures, "words")),
  rate: (figures, rental) => {
    const price = rate(figures, rental);
    return price && m.story_rate({ price });
  },
  missed: () => m.story_missed(),
  billed: (figures) => {
    const bill = inside(figures, "bill");
    const amount = text(bill, "total");
    return amount === "" ? null : m.story_billed({ amount: exact(amount, text(bill, "currency")) });
  },
  failed: (figures) => withWords(m.state_failed(), text(figures, "reason")),
  gone: (figures) => withWords(m.story_gone(), text(figures, "proof")),
  "looked-again": (figures) => {
    const span = duration(Number(text(figures, "minutes")) * 60);
    return figures.there === true ? m.story_still_there({ span }) : m.story_looked({ span });
  },
  "lease-set": (figures) => {
    const lease = inside(figures, "lease");
    const word = text(lease, "on_expiry");
    return withWords(m.story_lease({ who: who(figures) }), word === "" ? "" : expiryWord(word));
  },
  // What was told stands in the notice; here it is enough that, and when.
  told: () => m.story_told(),
  kept: (figures) => m.story_kept({ who: who(figures) }),
  retagged: () => m.story_retagged(),
  "retag-failed": (figures) => withWords(m.story_retag_failed(), text(figures, "words")),
  "parting-begun": (figures) => withWords(m.story_parting(), text(figures, "why")),
  "parting-over": (figures) => {
    const parting = inside(figures, "parting");
    const asked = text(parting, "asked");
    if (asked === "") return withWords(m.story_parting_in_vain(), text(figures, "words"));
    const hooks: Record<string, () => string> = {
      done: m.story_hook_done,
      failed: m.story_hook_failed,
      killed: m.story_hook_killed,
    };
    const ended = m.story_parted({ ended: text(parting, "ended"), asked });
    const hook = hooks[text(parting, "hook")]?.();
    return hook === undefined ? ended : `${ended}; ${hook}`;
  },
  "policy-checked": (figures) => {
    const judgement = inside(figures, "judgement");
    const policy = policyTitle(text(judgement, "policy"), text(judgement, "title"));
    const verdict = text(judgement, "verdict");
    return verdict === "" ? null : m.story_policy({ policy, verdict: verdictWord(verdict) });
  },
  override: (figures) => withWords(m.story_override(), text(figures, "reason")),
};

/** What an event says in the reader's language; the desk's English line where this window has no sentence for it. */
export function storyLine(event: EventDto, rental: RentalDto): string {
  return sentences[event.event]?.(event.figures, rental) ?? event.text;
}
