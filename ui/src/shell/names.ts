import { m } from "../paraglide/messages.js";
import type { ViewName } from "./route.svelte";

const names: Record<ViewName, () => string> = {
  market: m.view_market,
  rentals: m.view_rentals,
  spend: m.view_spend,
  plan: m.view_plan,
  settings: m.view_settings,
};

/** The name of a view. */
export function viewName(view: ViewName): string {
  return names[view]();
}
