import type { RatesInfo } from "../host/bindings";

/** Currencies offered even before any rate is known, so that a person sees what there will be. */
const usual = ["USD", "EUR", "RUB"];

/** The currencies that can be chosen; one without a rate is named but cannot be used yet. */
export function currencyChoices(rates: RatesInfo | undefined): { code: string; known: boolean }[] {
  const known = new Set(["USD", ...(rates?.currencies ?? [])]);
  const rest = [...known].filter((code) => !usual.includes(code)).sort();
  return [...usual, ...rest].map((code) => ({ code, known: known.has(code) }));
}
