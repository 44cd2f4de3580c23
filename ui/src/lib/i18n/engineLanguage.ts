/**
 * Under a POSIX locale without a language (`LANG=C.UTF-8`) WebKit reports the language "C", which is no language tag:
 * a library that formats numbers with it while it is imported throws, and nothing is shown. Imported before all others.
 */
try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, "language", { value: "en-US" });
}
