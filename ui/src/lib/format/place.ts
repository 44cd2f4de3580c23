import { locale } from "../i18n/locale.svelte";

const names = new Map<string, Intl.DisplayNames>();

/** The name of a country by its two letters, or the letters where there is no name. */
export function country(code: string): string {
  const language = locale.current;
  let display = names.get(language);
  if (!display) {
    display = new Intl.DisplayNames([language], { type: "region", fallback: "code" });
    names.set(language, display);
  }
  return /^[A-Z]{2}$/.test(code) ? (display.of(code) ?? code) : code;
}
