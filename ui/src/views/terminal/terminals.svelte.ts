import { createContext } from "svelte";

import type { Answers } from "../../lib/data/answers";
import type { RentalDto } from "../../lib/host/bindings";
import { Session } from "./session.svelte";

/** The shells of this window: one tab each, in a panel under whatever view is open. */
export class Terminals {
  list = $state.raw<Session[]>([]);
  /** Key of the tab in front. */
  front = $state(0);
  /** `panel` under the view, `full` over it, `folded` to its tabs. */
  size = $state<"panel" | "full" | "folded">("panel");
  /** A tab that somebody closes while its shell runs: asked first. */
  closing = $state.raw<Session | null>(null);
  /** Counts up each time the focus is asked into the front tab. */
  wanted = $state(0);

  #next = 1;

  constructor(readonly answers: Answers) {}

  /** The tab in front. */
  get current(): Session | undefined {
    return this.list.find((session) => session.key === this.front);
  }

  /** Opens a shell in a new tab. */
  open(rental: RentalDto): Session {
    const session = new Session(this.#next++, this.answers, rental);
    this.list = [...this.list, session];
    this.show(session);
    return session;
  }

  /** Brings a tab to the front and the focus into it. */
  show(session: Session): void {
    this.front = session.key;
    if (this.size === "folded") this.size = "panel";
    this.wanted += 1;
  }

  /** Closes a tab; asks first while its shell runs. */
  close(session: Session): void {
    if (session.state === "open") this.closing = session;
    else this.drop(session);
  }

  /** Closes a tab without asking. */
  drop(session: Session): void {
    this.closing = null;
    session.close();
    const at = this.list.indexOf(session);
    this.list = this.list.filter((other) => other !== session);
    if (this.front === session.key) this.front = (this.list[at] ?? this.list.at(-1))?.key ?? 0;
    if (this.list.length === 0) this.size = "panel";
  }

  /** Opens the shell of a tab anew, in its place. */
  again(session: Session): void {
    const fresh = new Session(this.#next++, this.answers, session.rental);
    session.close();
    this.list = this.list.map((other) => (other === session ? fresh : other));
    this.show(fresh);
  }

  /** Forgets all tabs: they belong to another desk. */
  clear(): void {
    for (const session of this.list) session.close();
    this.list = [];
    this.closing = null;
  }
}

/** The shells of this window, handed down from the root component. */
export const [getTerminals, setTerminals] = createContext<Terminals>();
