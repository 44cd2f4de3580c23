/** An amount above zero as it was typed, with either mark and any spaces: `1 200,50` becomes `1200.50`; else null. */
export function amountOf(text: string): string | null {
  const plain = text.replaceAll(/\s/g, "").replace(",", ".");
  return /^\d+(\.\d+)?$/.test(plain) && Number(plain) > 0 ? plain : null;
}
