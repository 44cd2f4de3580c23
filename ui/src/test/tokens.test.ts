import { expect, it } from "vitest";

import css from "../app.css?raw";

/** Each token's light and dark value. */
function pair(token: string): [string, string] {
  const found = new RegExp(`--${token}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css);
  if (!found?.[1] || !found[2]) throw new Error(`no pair of colours for --${token}`);
  return [found[1], found[2]];
}

/** Relative luminance by WCAG 2. */
function luminance(colour: string): number {
  const channel = (at: number) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

const grounds = ["bg", "panel", "raise", "selected", "hover"];

it.each([0, 1])("reads at 4.5:1 in every text colour on every ground (theme %i)", (theme) => {
  const texts = ["ink", "dim", "faint", "accent", "warn", "bad", "info"];
  const weak = texts.flatMap((text) =>
    grounds
      .map(
        (ground) =>
          `${text} on ${ground}: ${contrast(pair(text)[theme] ?? "", pair(ground)[theme] ?? "").toFixed(2)}`,
      )
      .filter((line) => Number(line.split(": ")[1]) < 4.5),
  );
  expect(weak).toEqual([]);
});

it.each([0, 1])("reads at 4.5:1 on the accent and on data bars (theme %i)", (theme) => {
  for (const [text, ground] of [
    ["accent-ink", "accent"],
    ["ink", "bar"],
    ["ink", "bar-other"],
    ["dim", "bar"],
    ["dim", "bar-other"],
  ] as const) {
    expect(
      contrast(pair(text)[theme] ?? "", pair(ground)[theme] ?? ""),
      `${text} on ${ground}`,
    ).toBeGreaterThanOrEqual(4.5);
  }
});

it.each([0, 1])("marks controls at 3:1 (theme %i)", (theme) => {
  const charts = ["chart-1", "chart-2", "chart-3", "chart-4", "chart-5", "chart-other"];
  for (const ground of ["bg", "panel"]) {
    for (const mark of ["control", "accent", "info", "warn", "bad", ...charts]) {
      expect(
        contrast(pair(mark)[theme] ?? "", pair(ground)[theme] ?? ""),
        `${mark} on ${ground}`,
      ).toBeGreaterThanOrEqual(3);
    }
  }
});
