/** A rectangle of the window, px. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Where something that floats should stand beside its anchor. */
export interface Wish {
  side: "top" | "bottom";
  align: "start" | "end";
  /** Distance from the anchor. */
  gap: number;
}

/** Distance that is kept from the edges of the window. */
const margin = 8;

/**
 * Where a box of this size stands: at the wished side, at the other one where there is more room, and never outside
 * the window.
 */
export function place(
  anchor: Box,
  size: { width: number; height: number },
  window: { width: number; height: number },
  { side, align, gap }: Wish,
): { left: number; top: number; room: number } {
  const above = anchor.top - gap - margin;
  const below = window.height - anchor.bottom - gap - margin;
  const wished = side === "top" ? above : below;
  const other = side === "top" ? below : above;
  const turned = size.height > wished && other > wished;
  const atTop = (side === "top") !== turned;
  const room = Math.max(0, turned ? other : wished);
  const height = Math.min(size.height, room);
  const left = align === "start" ? anchor.left : anchor.right - size.width;
  return {
    left: Math.max(margin, Math.min(left, window.width - size.width - margin)),
    top: atTop ? anchor.top - gap - height : anchor.bottom + gap,
    room,
  };
}
