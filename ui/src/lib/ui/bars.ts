/** A piece of a bar. */
export interface BarPart {
  colour: string;
  size: number;
  /** Whether it is only expected. */
  pale: boolean;
}

/** One bar of a chart, with its pieces from the bottom up. */
export interface Bar {
  key: string;
  /** Below the axis. */
  label: string;
  /** All that it says, read aloud. */
  text: string;
  parts: BarPart[];
}

/** Round values for an axis from zero: three or four of them, the last at or above the largest. */
export function ticks(largest: number): number[] {
  if (!(largest > 0)) return [0, 1];
  const rough = largest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5].find((one) => one * power >= rough) ?? 10) * power;
  return Array.from({ length: Math.ceil(largest / step - 1e-9) + 1 }, (_, i) => i * step);
}

/** A piece as it is drawn, in px from the top. */
export interface DrawnPart {
  colour: string;
  pale: boolean;
  top: number;
  height: number;
}

/** The pieces of a bar above each other on this scale. */
export function stacked(parts: readonly BarPart[], full: number, height: number): DrawnPart[] {
  let below = 0;
  return parts.map(({ colour, pale, size }) => {
    below += size;
    return { colour, pale, top: height * (1 - below / full), height: (height * size) / full };
  });
}
