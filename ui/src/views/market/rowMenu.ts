import type { MenuGroup } from "../../lib/ui/menu";
import { m } from "../../paraglide/messages.js";
import type { MarketActions } from "./actions.svelte";
import type { Market } from "./market.svelte";

/** The menu of one offer: what can be done with it, and the forms in which it can be copied. */
export function rowMenu(market: Market, actions: MarketActions, id: string): MenuGroup[] {
  return [
    {
      items: [
        { label: m.details(), hint: "Enter", run: () => market.open(id) },
        {
          label: market.isCompared(id) ? m.compare_remove() : m.compare_add(),
          hint: "x",
          run: () => actions.toggleCompare(id),
        },
        { label: m.rent(), hint: "r", run: () => actions.rent(id) },
      ],
    },
    {
      heading: m.copy_as(),
      items: [
        { label: m.copy_text(), run: () => actions.copy("text", [id]) },
        { label: m.copy_csv(), run: () => actions.copy("csv", [id]) },
        { label: m.copy_json(), run: () => actions.copy("json", [id]) },
        { label: m.copy_command(), run: () => actions.copy("command", [id]) },
      ],
    },
    {
      heading: m.copy_all(),
      items: [
        { label: m.copy_all_csv(), run: () => actions.copy("csv", []) },
        { label: m.copy_all_json(), run: () => actions.copy("json", []) },
        { label: m.copy_all_command(), run: () => actions.copy("command", []) },
      ],
    },
  ];
}
