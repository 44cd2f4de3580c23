/** What is known, in words; null where it is not known. */
export function given<T>(value: T | null, say: (value: T) => string): string | null {
  return value === null ? null : say(value);
}
