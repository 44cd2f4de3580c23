import type { ApiError, Commands, Event } from "./bindings";
import { httpHost } from "./http";
import { tauriHost } from "./tauri";

/** The name of a command of the desk. */
export type Command = keyof Commands;

/** What a command takes. */
export type Request<K extends Command> = Commands[K]["request"];

/** What a command gives. */
export type Response<K extends Command> = Commands[K]["response"];

/** Where the desk runs: behind the window, or behind a loopback server when the UI is opened in a browser. */
export interface Host {
  /** Asks the desk. Rejects with a {@link HostError}. */
  call<K extends Command>(command: K, request: Request<K>): Promise<Response<K>>;
  /** Hears every event until the returned function is called. */
  listen(heard: (event: Event) => void): () => void;
  /** Hears files held over or dropped on the window; only a window can tell their paths. */
  listenDrops?(heard: (drop: Drop) => void): () => void;
}

/** Files over the window. */
export type Drop = { kind: "over" | "leave" } | { kind: "drop"; paths: string[] };

/** What the desk said when it could not answer. */
export class HostError extends Error {
  constructor(readonly api: ApiError) {
    super(`${api.what}: ${api.detail}`);
    this.name = "HostError";
  }
}

/** Makes an error of whatever a host threw. */
export function hostError(command: string, thrown: unknown): HostError {
  if (thrown instanceof HostError) return thrown;
  if (typeof thrown === "object" && thrown !== null && "code" in thrown && "what" in thrown) {
    return new HostError(thrown as ApiError);
  }
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  return new HostError({ code: "internal", what: command, detail, hint: null, line: null });
}

/** The host this page runs in. */
export async function openHost(): Promise<Host> {
  if (import.meta.env.DEV && import.meta.env.VITE_HOST === "mock") {
    const { mockHost } = await import("./mock/mock");
    return mockHost();
  }
  return "__TAURI_INTERNALS__" in window ? tauriHost() : httpHost();
}
