import { invoke } from "@tauri-apps/api/core";
import { listen, TauriEvent } from "@tauri-apps/api/event";

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
    listenDrops(heard) {
      const stops = [
        listen(TauriEvent.DRAG_ENTER, () => heard({ kind: "over" })),
        listen(TauriEvent.DRAG_LEAVE, () => heard({ kind: "leave" })),
        listen<{ paths: string[] }>(TauriEvent.DRAG_DROP, ({ payload }) =>
          heard({ kind: "drop", paths: payload.paths }),
        ),
      ];
      return () => {
        for (const stop of stops) void stop.then((unlisten) => unlisten());
      };
    },
  };
}
