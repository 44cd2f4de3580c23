import { m } from "../../paraglide/messages.js";
import { count } from "../format/number";
import type { FeedStatus, SourceStatus } from "../host/bindings";

/** How a source fares, the worst of its feeds. */
export type Condition = "good" | "stale" | "failing" | "never";

/** The condition of one feed. */
export function feedCondition(feed: FeedStatus): Condition {
  if (feed.state === "failed") return "failing";
  if (feed.state === "never") return "never";
  return feed.state === "stale" ? "stale" : "good";
}

/** The condition of a source: failing before old before good; `never` only where nothing was ever read. */
export function condition(source: SourceStatus): Condition {
  const all = source.feeds.map(feedCondition);
  if (all.includes("failing")) return "failing";
  if (all.length === 0 || all.every((one) => one === "never")) return "never";
  return all.includes("stale") ? "stale" : "good";
}

/** How many sources may stand side by side. */
const most = 6;

/** Sources as they stand side by side: each by itself, or those in one condition together where there are many. */
export function gathered(sources: readonly SourceStatus[]): { key: string; sources: SourceStatus[] }[] {
  if (sources.length <= most) return sources.map((source) => ({ key: source.name, sources: [source] }));
  const conditions: Condition[] = ["failing", "stale", "never", "good"];
  return conditions
    .map((key) => ({ key, sources: sources.filter((source) => condition(source) === key) }))
    .filter((group) => group.sources.length > 0);
}

/** Age in seconds of the newest and the oldest of some feeds; null where none was ever read. */
export function ages(feeds: readonly FeedStatus[]): { newest: number; oldest: number } | null {
  const known = feeds.flatMap((feed) => (feed.age_s === null ? [] : [feed.age_s]));
  return known.length === 0 ? null : { newest: Math.min(...known), oldest: Math.max(...known) };
}

/** What was counted when offers were read. */
export function counts(read: Pick<FeedStatus, "offers" | "rows_read" | "rows_not_gpu">): string[] {
  const facts = [
    m.feed_offers({ n: read.offers, text: count(read.offers) }),
    m.feed_rows({ text: count(read.rows_read) }),
  ];
  if (read.rows_not_gpu > 0) facts.push(m.feed_not_gpu({ text: count(read.rows_not_gpu) }));
  return facts;
}

/** What the banner is about: feeds that fail, and whether that is everything that could be asked. */
export interface Trouble {
  failing: FeedStatus[];
  /** Nothing that was tried answered, and for want of a network. */
  offline: boolean;
}

/** The trouble of the moment, or null where there is none. */
export function trouble(sources: readonly SourceStatus[]): Trouble | null {
  const tried = sources.flatMap((source) => source.feeds).filter((feed) => feed.tried_at !== null);
  const failing = tried.filter((feed) => feed.state === "failed");
  if (failing.length === 0) return null;
  const noNetwork = failing.every((feed) => feed.error?.code === "network" || feed.error?.code === "timeout");
  // A price list that came with the app is at hand without any network; only what is asked live proves one.
  const live = tried.filter((feed) => feed.source === "live");
  return { failing, offline: noNetwork && live.every((feed) => feed.state === "failed") };
}
