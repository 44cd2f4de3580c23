import { createContext } from "svelte";

/** A short message at the corner of the window. */
export interface Toast {
  id: number;
  tone: "plain" | "good" | "warn" | "bad";
  text: string;
  detail?: string | undefined;
  /** The one thing to do about it. */
  action?: { label: string; run: () => void } | undefined;
}

/** How long a message stays, ms; one with an action a while longer, bad news until it is closed. */
const stays = 6000;
const staysToAct = 20_000;

/** The messages on the screen, newest last. */
export class Toasts {
  list = $state.raw<Toast[]>([]);
  #next = 1;
  readonly #timers: Record<number, ReturnType<typeof setTimeout>> = {};

  /** Shows a message. */
  show(toast: Omit<Toast, "id">): void {
    const id = this.#next++;
    this.list = [...this.list.slice(-3), { ...toast, id }];
    if (toast.tone !== "bad") this.#closeIn(id, toast.action ? staysToAct : stays);
  }

  /** A message under the pointer or with the focus in it is being read: it stays until that is over. */
  hold(id: number): void {
    clearTimeout(this.#timers[id]);
  }

  /** Reading is over: it goes after a while. */
  release(id: number): void {
    if (this.#timers[id] !== undefined) this.#closeIn(id, stays);
  }

  #closeIn(id: number, milliseconds: number): void {
    clearTimeout(this.#timers[id]);
    this.#timers[id] = setTimeout(() => this.close(id), milliseconds);
  }

  /** Takes a message away. */
  close(id: number): void {
    clearTimeout(this.#timers[id]);
    this.list = this.list.filter((toast) => toast.id !== id);
  }
}

/** The messages of this window, handed down from the root component. */
export const [getToasts, setToasts] = createContext<Toasts>();
