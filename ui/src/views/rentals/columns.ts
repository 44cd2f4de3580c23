import { duration, span } from "../../lib/format/time";
import { activityWord } from "../../lib/rental/activity";
import { stateWord } from "../../lib/rental/state";
import type { GridColumn } from "../../lib/ui/grid/columns";
import { textWidth } from "../../lib/ui/measure";
import { m } from "../../paraglide/messages.js";

/** Room for a state that lasts, and for how long, in the language of the window. */
function stateWidth(): number {
  const besideWords = 34;
  const words = [
    ...["ready", "stopped", "ended"].map(stateWord),
    ...["idle", "parked"].map(activityWord),
  ].map(textWidth);
  return besideWords + Math.max(...words) + textWidth(span(59 * 60));
}

/** Words of small buttons, against those that are measured. */
const small = 12 / 13;

/** Room for the widest set of buttons of a row in the language of the window. */
function actsWidth(others: boolean): number {
  const padding = 16;
  const [besideWord, arrow, border] = [20, 26, 3];
  const ours = [m.connect(), m.start(), m.end_again()].map((word) => textWidth(word) + besideWord + arrow);
  const theirs = [m.adopt(), m.ignore(), m.end_dots()].reduce(
    (sum, word) => sum + textWidth(word) * small + 14,
    0,
  );
  return Math.ceil(padding + border + Math.max(...ours, others ? theirs : 0));
}

/** Room for what is left of a lease, and for the button that keeps a machine where one of them may need it. */
function leaseWidth(keeps: boolean): number {
  const alone = 172;
  if (!keeps) return alone;
  const padding = 16;
  const [rings, gaps, besideWord] = [36, 10, 16];
  const left = textWidth(m.lease_left({ span: duration(2 * 3600 + 48 * 60) }));
  const wide = padding + rings + gaps + left + textWidth(m.keep()) * small + besideWord;
  return Math.max(alone, Math.ceil(wide));
}

/**
 * The columns of the rentals view. State, machine, Connect, cost, price and lease never give way.
 * `others`: whether there are machines that are not ours, which have more buttons. `keeps`: whether there is one that
 * somebody may want to keep.
 */
export function rentalColumns(others: boolean, keeps: boolean): GridColumn[] {
  const column = (
    key: string,
    title: string,
    width: number,
    yields: number,
    align: GridColumn["align"] = "start",
  ): GridColumn => ({ key, title, align, width, minimum: width, yields });
  return [
    column("state", m.column_state(), stateWidth(), 0),
    { ...column("machine", m.column_machine(), 190, 0), grows: true, minimum: 140 },
    column("connect", m.connect(), actsWidth(others), 0, "end"),
    column("usage", m.column_usage(), 152, 2, "end"),
    column("since", m.column_since(), 86, 3, "end"),
    column("cost", m.column_cost(), 84, 0, "end"),
    column("rate", m.column_rate(), 84, 0, "end"),
    column("lease", m.column_lease(), leaseWidth(keeps), 0),
    column("owner", m.column_owner(), 100, 5),
    column("project", m.column_project(), 100, 4),
  ];
}
