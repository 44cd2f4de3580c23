import { overwriteGetLocale } from "../../paraglide/runtime.js";

/** The languages there are texts for. */
export type Language = "en" | "ru";

/** Every language. */
export const languages: readonly Language[] = ["en", "ru"];

/** The language of the system. `navigator.language` may be `C` or empty, so it is only ever compared. */
export function systemLanguage(): Language {
  const asked = typeof navigator === "undefined" ? "" : (navigator.language ?? "");
  return asked.toLowerCase().startsWith("ru") ? "ru" : "en";
}

let current = $state<Language>(systemLanguage());

/** The language in use; reading it in a component follows the switch without a reload. */
export const locale = {
  get current(): Language {
    return current;
  },
  /** Takes `system`, or a language; an unknown word means the system's. */
  choose(choice: string): void {
    current = languages.find((language) => language === choice) ?? systemLanguage();
    // Writing what is there already would make the engine style the whole page anew.
    if (document.documentElement.lang !== current) document.documentElement.lang = current;
  },
};

overwriteGetLocale(() => current);
