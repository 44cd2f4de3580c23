/** The tallest a browser draws without losing precision; a longer list is scrolled faster than it is drawn. */
const tallest = 15_000_000;

/** How a list of rows of one height maps to a scroll bar. */
export interface Extent {
  /** Height of the whole list as the scroll bar sees it, px. */
  height: number;
  /** List px per px of the scroll bar: 1 but for millions of rows. */
  scale: number;
}

/** The extent of `total` rows seen through a pane. */
export function extent(total: number, rowHeight: number, paneHeight: number): Extent {
  const full = total * rowHeight;
  if (full <= tallest || full <= paneHeight) return { height: full, scale: 1 };
  return { height: tallest, scale: (full - paneHeight) / (tallest - paneHeight) };
}

/** The rows that stand in the pane, the cut ones included: `[first, last)`. */
export function rowsAt(top: number, total: number, rowHeight: number, paneHeight: number): [number, number] {
  const first = Math.max(0, Math.min(total, Math.floor(top / rowHeight)));
  const last = Math.min(total, Math.ceil((top + paneHeight) / rowHeight) + 1);
  return [first, Math.max(first, last)];
}

/** Where to scroll so that a row is in full view; `top` where it already is. */
export function reveal(row: number, top: number, rowHeight: number, paneHeight: number): number {
  const above = row * rowHeight;
  if (above < top) return above;
  const below = above + rowHeight - paneHeight;
  return below > top ? below : top;
}
