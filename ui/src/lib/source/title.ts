import { m } from "../../paraglide/messages.js";
import type { SourceStatus } from "../host/bindings";

/** The name of a source: clouds have names of their own, those that are no cloud are said in the reader's language. */
export function sourceTitle(source: Pick<SourceStatus, "name" | "title">): string {
  if (source.name === "catalogue") return m.source_catalogues();
  if (source.name === "rates") return m.source_rates();
  if (source.name === "sheets") return m.source_sheets();
  return source.title;
}
