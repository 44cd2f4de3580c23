import { m } from "../../paraglide/messages.js";
import type { SshKey } from "../host/bindings";

/** One line for an SSH key: where it is and what it is. */
export function keyTitle(key: SshKey): string {
  if (key.source === "new") return m.key_new();
  const kind = key.kind.replace(/^ssh-/, "");
  return key.source === "agent" ? m.key_of_agent({ title: key.title, kind }) : `${key.title} (${kind})`;
}
