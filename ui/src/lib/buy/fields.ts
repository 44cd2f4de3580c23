import type { BuyGiven, BuyRequest } from "../host/bindings";

/** A figure as somebody typed it; empty = left to the desk. */
export interface Typed {
  value: string;
  /** What it may be instead; empty = the desk's usual range. */
  low: string;
  high: string;
}

/** Figures that are shares: typed in percent without its sign. */
const shares = ["draw", "capital", "utilisation"];

const percent = (name: string) => shares.includes(name);

/** What the desk is told of a figure; null = nothing was typed. */
export function givenOf(name: string, typed: Typed): BuyGiven | null {
  const said = (text: string) => (percent(name) ? `${text.trim()}%` : text.trim());
  if (typed.value.trim() === "") return null;
  const open = typed.low.trim() !== "" && typed.high.trim() !== "";
  const range = open ? `:${said(typed.low)}..${said(typed.high)}` : "";
  return { name, value: `${said(typed.value)}${range}` };
}

/** A figure as it was typed, from what the desk was told. */
export function typedOf({ name, value }: BuyGiven): Typed {
  const bare = (text: string) => (percent(name) ? text.replace("%", "") : text);
  const [stated = "", range = ""] = value.split(":");
  const [low = "", high = ""] = range.split("..");
  return { value: bare(stated), low: bare(low), high: bare(high) };
}

/** Where power is bought until somebody says so, by the currency that things are shown in. */
const home: Record<string, string> = { USD: "US-TX", GBP: "GB", RUB: "RU" };

/** What is compared until somebody changes it: one card that everybody knows. */
export function firstRequest(currency: string): BuyRequest {
  return {
    gpu: "H100 SXM",
    count: 8,
    country: home[currency] ?? "EU",
    offer: null,
    currency,
    given: [{ name: "utilisation", value: "70%" }],
  };
}
