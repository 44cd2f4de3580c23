import type { Event } from "./bindings";
import { HostError, hostError, type Host } from "./host";

/** The same commands over loopback HTTP: `POST /rpc/{command}`, events as server-sent events from `/events`. */
export function httpHost(base = ""): Host {
  return {
    async call(command, request) {
      try {
        const answer = await fetch(`${base}/rpc/${command}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(request),
        });
        const body: unknown = await answer.json();
        if (!answer.ok) throw hostError(command, body);
        return body as never;
      } catch (thrown) {
        throw thrown instanceof HostError ? thrown : hostError(command, thrown);
      }
    },
    listen(heard) {
      const stream = new EventSource(`${base}/events`);
      stream.onmessage = (message: MessageEvent<string>) => heard(JSON.parse(message.data) as Event);
      return () => stream.close();
    },
  };
}
