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

/** How long a message stays; one with an action or bad news stays until it is closed. */
const stays = 6000;

/** The messages on the screen, newest last. */
export class Toasts {
  list = $state.raw<Toast[]>([]);
  #next = 1;

  /** Shows a message. */
  show(toast: Omit<Toast, "id">): void {
    const id = this.#next++;
    this.list = [...this.list.slice(-3), { ...toast, id }];
    if (toast.tone !== "bad" && !toast.action) setTimeout(() => this.close(id), stays);
  }

  /** Takes a message away. */
  close(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id);
  }
}

/** The messages of this window, handed down from the root component. */
export const [getToasts, setToasts] = createContext<Toasts>();
