let context: CanvasRenderingContext2D | null = null;

/** Width of a text of the table in its strongest weight, px. */
export function textWidth(text: string): number {
  context ??= document.createElement("canvas").getContext("2d");
  if (!context) return text.length * 9;
  const { fontFamily, fontSize } = getComputedStyle(document.body);
  context.font = `650 ${fontSize} ${fontFamily}`;
  return Math.ceil(context.measureText(text).width);
}
