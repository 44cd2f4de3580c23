import type { Answers } from "../../lib/data/answers";
import type { ApiError, RentalDto } from "../../lib/host/bindings";
import { HostError, hostError } from "../../lib/host/host";
import { fromBase64, toBase64 } from "./bytes";

/** How long to wait before a read that failed is tried again, ms. */
const retryAfter = 1000;
/** So many reads in a row may fail before the session is given up. */
const patience = 5;
/** The most bytes kept for a screen that is drawn anew. */
const kept = 512 * 1024;

/** One shell: opened at the desk, read by long polling, written in the order of the keys. */
export class Session {
  /** `opening`, `open`, `over`. */
  state = $state<"opening" | "open" | "over">("opening");
  title = $state("");
  exit = $state<number | null>(null);
  problem = $state.raw<ApiError | null>(null);

  #id: number | null = null;
  #closed = false;
  #writing: Promise<void> = Promise.resolve();
  #screen: ((bytes: Uint8Array) => void) | null = null;
  #history: Uint8Array[] = [];
  #size = 0;

  constructor(
    readonly key: number,
    readonly answers: Answers,
    readonly rental: RentalDto,
  ) {
    this.title = rental.name;
  }

  /** Opens the shell and reads it until it is over. */
  async run(cols: number, rows: number): Promise<void> {
    try {
      const terminal = await this.answers.call("terminal_open", { rental: this.rental.id, cols, rows });
      this.#id = terminal.id;
      this.title = terminal.title || this.rental.name;
      this.state = "open";
      if (this.#closed) return this.#tellClosed();
      await this.#read(terminal.id);
    } catch (thrown) {
      this.problem = hostError("terminal_open", thrown).api;
    }
    this.state = "over";
  }

  async #read(id: number): Promise<void> {
    let offset = 0;
    let failed = 0;
    while (!this.#closed) {
      try {
        const read = await this.answers.call("terminal_read", { id, offset });
        failed = 0;
        offset = read.offset;
        if (read.data !== "") this.#show(fromBase64(read.data));
        if (read.exit === null && read.problem === null) continue;
        this.exit = read.exit;
        this.problem = read.problem;
        return;
      } catch (thrown) {
        failed += 1;
        if (this.#closed) return;
        if (failed >= patience || (thrown instanceof HostError && thrown.api.code === "not-found"))
          throw thrown;
        await new Promise((done) => setTimeout(done, retryAfter));
      }
    }
  }

  #show(bytes: Uint8Array): void {
    this.#history.push(bytes);
    this.#size += bytes.length;
    while (this.#size > kept && this.#history.length > 1) this.#size -= this.#history.shift()?.length ?? 0;
    this.#screen?.(bytes);
  }

  /** Draws on a screen from now on, beginning with what was printed already; returns what stops it. */
  draw(screen: (bytes: Uint8Array) => void): () => void {
    for (const bytes of this.#history) screen(bytes);
    this.#screen = screen;
    return () => {
      if (this.#screen === screen) this.#screen = null;
    };
  }

  /** Types. One write follows the other, so that no key overtakes another. */
  write(text: string): void {
    const id = this.#id;
    if (id === null || this.state !== "open") return;
    this.#writing = this.#writing
      .then(() => this.answers.call("terminal_write", { id, data: toBase64(text) }))
      // What went wrong is said by the read that is under way.
      .catch(() => undefined) as Promise<void>;
  }

  /** Tells the shell how large its screen is. */
  resize(cols: number, rows: number): void {
    if (this.#id === null || this.state !== "open") return;
    void this.answers.call("terminal_resize", { id: this.#id, cols, rows }).catch(() => undefined);
  }

  /** Ends the shell. */
  close(): void {
    this.#closed = true;
    this.#tellClosed();
  }

  #tellClosed(): void {
    if (this.#id !== null && this.state === "open")
      void this.answers.call("terminal_close", { id: this.#id }).catch(() => undefined);
    this.state = "over";
  }
}
