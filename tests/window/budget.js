// Figures, their budgets, and how they are printed.

let broken = 0;

/** Prints a figure beside its budget, if it has one. */
export function report(name, value, unit, limit) {
  const figure = `${round(value)} ${unit}`;
  if (limit === undefined) {
    console.log(`      ${name.padEnd(58)} ${figure}`);
    return;
  }
  const kept = value <= limit;
  if (!kept) broken += 1;
  console.log(`${kept ? "PASS " : "FAIL "} ${name.padEnd(58)} ${figure}  (budget ${limit} ${unit})`);
}

/** Number of broken budgets so far. */
export const brokenBudgets = () => broken;

export function median(values) {
  return quantile(values, 0.5);
}

/** The smallest value that at least this share of all values does not exceed. */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}

function round(value) {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
