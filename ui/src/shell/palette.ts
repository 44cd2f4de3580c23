import type { RentalDto } from "../lib/host/bindings";
import { stateWord } from "../lib/rental/state";
import type { SettingsState } from "../lib/settings/settings.svelte";
import { sums, sumTitle } from "../lib/spend/words";
import { m } from "../paraglide/messages.js";
import type { MarketActions } from "../views/market/actions.svelte";
import type { Market } from "../views/market/market.svelte";
import type { PlanActions } from "../views/plan/actions";
import type { Plan, PlanTab } from "../views/plan/plan.svelte";
import type { RentalActions } from "../views/rentals/actions.svelte";
import { rentalMenu } from "../views/rentals/connectMenu";
import type { Rentals } from "../views/rentals/rentals.svelte";
import type { SpendActions } from "../views/spend/actions";
import type { Spend } from "../views/spend/spend.svelte";
import { viewName } from "./names";
import { views, type Route } from "./route.svelte";

/** One line of the palette. */
export interface Entry {
  group: string;
  label: string;
  hint?: string;
  run: () => void;
}

interface Desk {
  route: Route;
  market: Market;
  actions: MarketActions;
  settings: SettingsState;
  onkeys: () => void;
}

/** Everything that can be done from anywhere. */
export function commands({ route, market, actions, settings, onkeys }: Desk): Entry[] {
  const go = m.palette_views();
  const act = m.palette_actions();
  const look = m.palette_look();
  const selected = market.selected;
  const keys = ["1", "2", "3", "4", ","];
  return [
    ...views.map((view, i) => ({
      group: go,
      label: viewName(view),
      hint: keys[i] ?? "",
      run: () => route.go(view),
    })),
    ...(["groups", "offers", "compare"] as const).map((tab) => ({
      group: go,
      label: {
        groups: m.tab_groups(),
        offers: m.tab_offers(),
        compare: m.tab_compare({ n: settings.compare.length }),
      }[tab],
      hint: { groups: "g", offers: "o", compare: "c" }[tab],
      run: () => {
        route.go("market");
        if (tab === "compare") actions.compare();
        else market.tab = tab;
      },
    })),
    { group: act, label: m.refresh_all(), run: () => void actions.refresh() },
    { group: act, label: m.query_clear(), run: () => void market.line.replace("") },
    { group: act, label: m.copy_all_csv(), run: () => void actions.copy("csv", []) },
    { group: act, label: m.copy_all_json(), run: () => void actions.copy("json", []) },
    { group: act, label: m.copy_all_command(), run: () => void actions.copy("command", []) },
    ...(selected
      ? [
          {
            group: act,
            label: m.compare_toggle_selected(),
            hint: "x",
            run: () => actions.toggleCompare(selected),
          },
          { group: act, label: m.rent(), hint: "r", run: () => actions.rent(selected) },
        ]
      : []),
    { group: act, label: m.keys(), hint: "?", run: onkeys },
    ...(["system", "dark", "light"] as const).map((theme) => ({
      group: look,
      label: m.palette_theme({
        theme: { system: m.theme_system(), dark: m.theme_dark(), light: m.theme_light() }[theme],
      }),
      run: () => settings.change({ theme }),
    })),
    // Each language under its own name, so that it can be found from the other one.
    { group: look, label: "Language: English", run: () => settings.change({ language: "en" }) },
    { group: look, label: "Язык: русский", run: () => settings.change({ language: "ru" }) },
    ...["USD", "EUR", "RUB"].map((currency) => ({
      group: look,
      label: m.palette_currency({ currency }),
      run: () => settings.change({ currency }),
    })),
    {
      group: look,
      label: settings.current.density === "compact" ? m.density_normal() : m.density_compact(),
      run: () => settings.change({ density: settings.current.density === "compact" ? "normal" : "compact" }),
    },
  ];
}

interface Money {
  route: Route;
  spend: Spend;
  actions: SpendActions;
  settings: SettingsState;
}

/** What can be done about money. */
export function spendCommands({ route, spend, actions, settings }: Money): Entry[] {
  const group = m.view_spend();
  const show = (change: () => void) => () => {
    route.go("spend");
    change();
  };
  return [
    { group, label: m.budget_add(), run: show(() => (spend.sheet = { kind: "budget", budget: null })) },
    {
      group,
      label: m.palette_spend_last(),
      hint: "[",
      run: show(() => (spend.period = { kind: "month", back: 1 })),
    },
    ...sums.map((by) => ({
      group,
      label: m.palette_spend_by({ what: sumTitle(by) }),
      run: show(() => (spend.by = by)),
    })),
    ...(["html", "csv"] as const).map((form) => ({
      group,
      label: m.palette_report({ form: form === "csv" ? m.report_csv() : m.report_html() }),
      run: () => void actions.report(spend.request(settings.currency), form),
    })),
  ];
}

interface Ahead {
  route: Route;
  plan: Plan;
  actions: PlanActions;
  settings: SettingsState;
}

/** What can be planned. */
export function planCommands({ route, plan, actions, settings }: Ahead): Entry[] {
  const group = m.view_plan();
  const open = (tab: PlanTab) => () => {
    route.go("plan");
    plan.tab = tab;
  };
  return [
    { group, label: m.tab_workload(), hint: "[", run: open("workload") },
    { group, label: m.tab_buy(), hint: "]", run: open("buy") },
    ...(["html", "csv"] as const).map((form) => ({
      group,
      label: m.palette_buy_report({ form: form === "csv" ? m.report_csv() : m.report_html() }),
      run: () => void actions.report(plan.buy.request(settings.currency), form),
    })),
  ];
}

interface Ours {
  route: Route;
  rentals: Rentals;
  actions: RentalActions;
}

/** The rentals and what can be done with each. Their own entries come first; actions are found by the name. */
export function rentalCommands({ route, rentals, actions }: Ours, list: readonly RentalDto[]): Entry[] {
  return [
    ...list.map((rental) => ({
      group: m.view_rentals(),
      label: rental.name,
      hint: stateWord(rental.state),
      run: () => {
        route.go("rentals");
        rentals.open(rental.id);
      },
    })),
    ...list.flatMap((rental) =>
      rentalMenu(rental, actions)
        .flatMap((group) => group.items)
        .filter((item) => item.disabled === undefined)
        .map((item) => ({
          group: m.view_rentals(),
          label: `${rental.name}: ${item.label}`,
          ...(item.hint === undefined ? {} : { hint: item.hint }),
          run: item.run,
        })),
    ),
  ];
}

/** The entries that hold every typed word, in any order. */
export function matching(entries: readonly Entry[], typed: string): Entry[] {
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return entries.filter((entry) => words.every((word) => entry.label.toLowerCase().includes(word)));
}
