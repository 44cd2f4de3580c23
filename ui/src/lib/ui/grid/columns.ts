/** A column of a grid. */
export interface GridColumn {
  key: string;
  title: string;
  /** What stands in the head's tooltip. */
  hint?: string | undefined;
  align: "start" | "end";
  /** Width in px before room is shared out. */
  width: number;
  /** The least that is still readable. */
  minimum: number;
  /** Which column gives way first where room is short: the highest; 0 never does. */
  yields: number;
  /** Takes the room that is left over. */
  grows?: boolean;
  /** Stays at the left edge when the rest is scrolled. */
  pinned?: boolean;
  /** The sort key that a click on the head asks for. */
  sort?: string | undefined;
  /** Whether the first click on the head sorts largest first. */
  largestFirst?: boolean;
}

/** Columns with their share of the room. */
export interface Fitted {
  columns: GridColumn[];
  widths: number[];
  /** Left edge of each column, for those that are pinned. */
  lefts: number[];
  /** Width of all. */
  total: number;
  /** Columns that gave way. */
  hidden: number;
}

function needed(columns: GridColumn[]): number {
  return columns.reduce((sum, column) => sum + (column.grows ? column.minimum : column.width), 0);
}

/**
 * Shares the room out. Where it is short, the columns that may give way do, the least important first; what is left
 * over goes to the columns that grow. If even the rest is too wide the grid scrolls sideways.
 */
export function fit(columns: GridColumn[], room: number): Fitted {
  const shown = [...columns];
  while (needed(shown) > room) {
    const yielding = shown.reduce((worst, column) => Math.max(worst, column.yields), 0);
    if (yielding === 0) break;
    shown.splice(
      shown.findLastIndex((column) => column.yields === yielding),
      1,
    );
  }
  const spare = Math.max(0, room - needed(shown));
  const growing = shown.filter((column) => column.grows).length;
  const widths = shown.map((column) =>
    column.grows ? column.minimum + Math.floor(spare / growing) : column.width,
  );
  let total = 0;
  const lefts = widths.map((width) => (total += width) - width);
  return { columns: shown, widths, lefts, total, hidden: columns.length - shown.length };
}
