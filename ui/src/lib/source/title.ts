import { m } from "../../paraglide/messages.js";
import type { SourceStatus } from "../host/bindings";

/** The name of a source: clouds have names of their own, the two gathered ones are said in the reader's language. */
export function sourceTitle(source: Pick<SourceStatus, "name" | "title">): string {
  if (source.name === "catalogue") return m.source_catalogues();
  if (source.name === "rates") return m.source_rates();
  return source.title;
}
