import { m } from "../../paraglide/messages.js";
import type { BudgetDto } from "../host/bindings";

/** From which share on a budget deserves a look. */
const nearly = 0.8;

/** How a budget stands. */
export function budgetTone(share: number | null): "good" | "warn" | "bad" {
  if (share === null || share < nearly) return "good";
  return share < 1 ? "warn" : "bad";
}

const scopes: Record<string, () => string> = {
  team: m.budget_team,
  project: m.budget_project,
  owner: m.budget_owner,
};

/** Whose spending a budget is for. */
export function scopeWord(scope: string): string {
  return scopes[scope]?.() ?? scope;
}

const hards: Record<string, { word: () => string; text: () => string }> = {
  tell: { word: m.budget_tell, text: m.budget_tell_text },
  block: { word: m.budget_block, text: m.budget_block_text },
  end: { word: m.budget_end, text: m.budget_end_text },
};

/** What happens when it is used up. */
export function hardWord(hard: string): string {
  return hards[hard]?.word() ?? hard;
}

/** What that means. */
export function hardText(hard: string): string {
  return hards[hard]?.text() ?? "";
}

/** The budget that stands beside the figures of a month: the team's. */
export function teamBudget(budgets: readonly BudgetDto[] | undefined): BudgetDto | null {
  return budgets?.find((budget) => budget.scope === "team" && budget.period === "month") ?? null;
}

/** Percentages typed with commas or blanks between them; null where they cannot be read. */
export function thresholdsOf(text: string): number[] | null {
  const words = text.split(/[\s,;%]+/).filter((word) => word !== "");
  const numbers = words.map(Number);
  return numbers.every((one, i) => /^\d{1,3}$/.test(words[i] ?? "") && one > 0) ? numbers : null;
}
