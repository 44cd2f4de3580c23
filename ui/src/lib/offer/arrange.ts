import type { ColumnChoice } from "../host/bindings";
import type { GridColumn } from "../ui/grid/columns";
import { textWidth } from "../ui/measure";
import { offerColumns, type OfferColumn } from "./columns";

const byKey = new Map(offerColumns.map((column) => [column.key, column]));

/** A column with what a person chose for it. */
export interface Chosen {
  column: OfferColumn;
  shown: boolean;
  width: number | null;
}

/** All columns in the chosen order. Columns a later version brought stand at the end, shown if they usually are. */
export function chosenColumns(choices: readonly ColumnChoice[]): Chosen[] {
  const known = choices.flatMap((choice) => {
    const column = byKey.get(choice.key);
    return column ? [{ column, shown: choice.shown || column.key === "offer", width: choice.width }] : [];
  });
  const rest = offerColumns.filter((column) => !choices.some((choice) => choice.key === column.key));
  return [...known, ...rest.map((column) => ({ column, shown: column.usual, width: null }))];
}

/** As the settings keep it. */
export function asChoices(chosen: readonly Chosen[]): ColumnChoice[] {
  return chosen.map(({ column, shown, width }) => ({ key: column.key, shown, width }));
}

/** Moves a column in front of another, or to the end. The first one names the row and stays. */
export function moved(chosen: readonly Chosen[], key: string, before: string | null): Chosen[] {
  const moving = chosen.find(({ column }) => column.key === key);
  if (!moving || key === "offer") return [...chosen];
  const rest = chosen.filter((other) => other !== moving);
  const place = before === null ? rest.length : rest.findIndex(({ column }) => column.key === before);
  return rest.toSpliced(Math.max(1, place === -1 ? rest.length : place), 0, moving);
}

/** Room for a head with the arrow of its sort, and for the widest of some texts: a total is never cut off. */
export function roomFor(head: string, texts: readonly (string | null)[], least: number): number {
  const padding = 18;
  const arrow = 14;
  const widths = texts.map((text) => (text === null ? 0 : textWidth(text)));
  return Math.max(least, textWidth(head) + arrow + padding, ...widths.map((width) => width + padding));
}

/** Columns that hold what the price is put against: shown, if not chosen, while the list is sorted by them. */
const shownWhileSorted = ["per-vram", "per-tflops", "per-speed", "machine"];

/** Brings the column that the list is sorted by beside the price, where nobody chose it. */
function withSorted(chosen: readonly Chosen[], sort: string): readonly Chosen[] {
  const sorting = chosen.find(
    ({ column, shown }) => !shown && column.sort === sort && shownWhileSorted.includes(column.key),
  );
  if (!sorting) return chosen;
  const rest = chosen.filter((other) => other !== sorting);
  const price = rest.findIndex(({ column }) => column.key === "price");
  return rest.toSpliced(price + 1, 0, { ...sorting, shown: true });
}

/**
 * The columns of the grid: the chosen ones, the total only where there is a job, and what the list is sorted by.
 * `tag`: a tag that every name carries.
 */
export function gridColumns(
  chosen: readonly Chosen[],
  currency: string,
  totals: readonly (string | null)[] | null,
  sort: string,
  tag: string | null = null,
): GridColumn[] {
  const tagRoom = tag === null ? 0 : textWidth(tag) + 18;
  return withSorted(chosen, sort)
    .filter(({ column, shown }) => shown && (column.key !== "total" || totals !== null))
    .map(({ column, width }) => {
      const title = column.title(currency);
      return {
        ...column,
        title,
        minimum: column.key === "offer" ? column.minimum + tagRoom : column.minimum,
        width: width ?? (column.key === "total" ? roomFor(title, totals ?? [], column.width) : column.width),
        // A width set by hand is kept, so the column no longer takes what is left over.
        grows: column.grows === true && width === null,
      };
    });
}
