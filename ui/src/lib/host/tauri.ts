import { invoke } from "@tauri-apps/api/core";
import { listen } from "@tauri-apps/api/event";

import type { Event } from "./bindings";
import { hostError, type Host } from "./host";

/** The window's own host: one Tauri command carries every request, one Tauri event every event. */
export function tauriHost(): Host {
  return {
    call: (command, request) =>
      invoke<never>("call", { command, request }).catch((thrown: unknown) => {
        throw hostError(command, thrown);
      }),
    listen(heard) {
      const stop = listen<Event>("gpudesk", (message) => heard(message.payload));
      return () => void stop.then((unlisten) => unlisten());
    },
  };
}
