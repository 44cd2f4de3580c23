import { createQuery, QueryClient } from "@tanstack/svelte-query";
import { createContext } from "svelte";

import { reads, type Event } from "../host/bindings";
import {
  hostError,
  type Command,
  type Host,
  type HostError,
  type Request,
  type Response,
} from "../host/host";

/** A kind of knowledge that answers are made from; an event makes everything read from it stale. */
export type Tag = (typeof reads)[Command][number];

const tagsOf: Record<Command, readonly string[]> = reads;

/** All that answers are made from: another desk (the practice market, or back) knows none of the same. */
const everything = [...new Set(Object.values(tagsOf).flat())] as Tag[];

/** Which knowledge an event makes stale. */
export function staleTags(event: Event): Tag[] {
  switch (event.kind) {
    case "board_changed":
      return ["board"];
    case "source_changed":
      return event.source === "rates" ? ["sources", "rates"] : ["sources"];
    case "settings_changed":
      return ["settings"];
    case "policies_changed":
      return ["policies"];
    case "budgets_changed":
      return ["budgets"];
    case "hosts_changed":
      return ["hosts"];
    case "notices_changed":
      return ["notices"];
    case "watch_hit":
      return ["watches"];
    case "rentals_changed":
      return ["rentals"];
    case "accounts_changed":
      return ["accounts"];
    case "forwards_changed":
      return ["forwards"];
    case "practice_changed":
      return everything;
    case "told":
    case "open_link":
      return [];
  }
}

/**
 * Everything the desk has answered. An answer is fresh until an event says otherwise: nothing is polled, and nothing
 * is asked twice.
 */
export class Answers {
  readonly client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Infinity,
        gcTime: 60_000,
        retry: false,
        networkMode: "always",
        refetchOnWindowFocus: false,
      },
    },
  });
  readonly #listeners = new Set<(event: Event) => void>();
  /** How often each kind of knowledge went stale. */
  readonly #turns = new Map<string, number>();

  constructor(readonly host: Host) {}

  /** Starts to hear events; returns what stops it. */
  start(): () => void {
    return this.host.listen((event) => {
      this.stale(staleTags(event));
      for (const heard of this.#listeners) heard(event);
    });
  }

  /** Hears events after the answers they touch were marked stale; returns what stops it. */
  listen(heard: (event: Event) => void): () => void {
    this.#listeners.add(heard);
    return () => this.#listeners.delete(heard);
  }

  /** Asks without remembering: for what changes something. Rejects with a {@link HostError}, whatever went wrong. */
  async call<K extends Command>(command: K, request: Request<K>): Promise<Response<K>> {
    try {
      return await this.host.call(command, request);
    } catch (thrown) {
      throw hostError(command, thrown);
    }
  }

  /**
   * Asks for an answer to remember. The cache asks again for what went stale, but not while the very first answer is
   * on its way: that one would be kept as if it were fresh. It is asked for here until nothing overtook it.
   */
  async read<K extends Command>(command: K, request: Request<K>): Promise<Response<K>> {
    for (;;) {
      const turn = this.#turn(command);
      const read = await this.call(command, request);
      const isFirst = this.client.getQueryData([command, request]) === undefined;
      if (turn === this.#turn(command) || !isFirst) return read;
    }
  }

  /** Puts an answer that came with a change where its readers look. */
  put<K extends Command>(command: K, request: Request<K>, answer: Response<K>): void {
    this.client.setQueryData([command, request], answer);
  }

  /** Marks every answer that was read from these as stale; those on the screen are asked again. */
  stale(tags: readonly Tag[]): void {
    if (tags.length === 0) return;
    for (const tag of tags) this.#turns.set(tag, (this.#turns.get(tag) ?? 0) + 1);
    void this.client.invalidateQueries({
      predicate: (query) => tagsOf[query.queryKey[0] as Command].some((tag) => tags.includes(tag as Tag)),
    });
  }

  /** Grows with every event that touches a command's answer. */
  #turn(command: Command): number {
    return tagsOf[command].reduce((sum, tag) => sum + (this.#turns.get(tag) ?? 0), 0);
  }
}

/** The answers of this window, handed down from the root component. */
export const [getAnswers, setAnswers] = createContext<Answers>();

/** An answer that follows its request and the events that make it stale. For use in a component. */
export function answer<K extends Command>(
  command: K,
  request: () => Request<K>,
  options: () => { enabled?: boolean; keep?: boolean; every?: number } = () => ({}),
) {
  const answers = getAnswers();
  return createQuery<Response<K>, HostError>(
    () => {
      const { enabled = true, keep = false, every } = options();
      return {
        queryKey: [command, request()],
        queryFn: () => answers.read(command, request()),
        enabled,
        structuralSharing: false,
        // For figures that change without an event: costs and the use of cards.
        refetchInterval: every ?? (false as const),
        // With `keep`, the last answer stays on the screen until the next one is here.
        placeholderData: keep ? (last: Response<K> | undefined) => last as never : undefined,
      };
    },
    () => answers.client,
  );
}
