import type { Command, Request } from "../host";

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/** A shell that greets and echoes; `exit` ends it. */
export function mockTerminals(): { [K in Command]?: (request: Request<K>) => unknown } {
  let next = 1;
  const printed = new Map<number, string[]>();
  const over = new Set<number>();
  const waiting = new Map<number, () => void>();

  const print = (id: number, text: string) => {
    printed.get(id)?.push(text);
    waiting.get(id)?.();
  };
  return {
    terminal_open: ({ rental }) => {
      const id = next++;
      printed.set(id, [`Welcome to ${rental}\r\nroot@box:~# `]);
      return { id, rental, title: rental.replace("01jd-", "") };
    },
    // The offset counts what was printed, which is all a reader may know of it.
    terminal_read: async ({ id, offset }) => {
      const lines = printed.get(id) ?? [];
      if (offset >= lines.length && !over.has(id)) await new Promise<void>((done) => waiting.set(id, done));
      return {
        data: base64(lines.slice(offset).join("")),
        offset: lines.length,
        exit: over.has(id) ? 0 : null,
        problem: null,
      };
    },
    terminal_write: ({ id, data }) => {
      const text = atob(data);
      if (text === "\u0004") over.add(id);
      print(id, text.replaceAll("\r", "\r\nroot@box:~# "));
      return null;
    },
    terminal_resize: () => null,
    terminal_close: ({ id }) => {
      over.add(id);
      waiting.get(id)?.();
      return null;
    },
  };
}
