import { afterEach, expect, it } from "vitest";

import { locale } from "../i18n/locale.svelte";
import { known, said, words } from "./russian";

afterEach(() => locale.choose("en"));

it("says what the desk says in Russian, with the parts it cannot know as they are", () => {
  locale.choose("ru");
  expect(said("the database")).toBe("база данных");
  expect(said("Free some space on the disk of `/home/a.b` and try again.")).toBe(
    "Освободите место на диске, где находится «/home/a.b», и повторите.",
  );
  expect(
    said(
      "the offers at hand stay in use; refresh again later; it may be asked again from 2026-11-30 09:00:05 UTC on",
    ),
  ).toBe(
    "Прежние предложения остаются; обновите ещё раз позже. Спросить снова можно с 2026-11-30 09:00:05 UTC.",
  );
  expect(said("write it as http://host:port")).toBe("Запишите так: http://host:port");
});

it("leaves a provider's own words, and English to whoever reads English", () => {
  locale.choose("ru");
  expect(said("the database is on fire")).toBe("the database is on fire");
  locale.choose("en");
  expect(said("the database")).toBe("the database");
});

it("marks as a quote what is in other words than the desk's", () => {
  locale.choose("ru");
  expect(words("HTTP 503: under maintenance")).toBe("HTTP 503: «under maintenance»");
  expect(words("no such pod")).toBe("«no such pod»");
  expect(words("its key is missing")).toBe("его ключа нет");
  locale.choose("en");
  expect(words("no such pod")).toBe("no such pod");
});

it("translates only what the desk still says", () => {
  const sources = import.meta.glob<string>("../../../../src-tauri/*/src/**/*.rs", {
    query: "?raw",
    import: "default",
    eager: true,
  });
  // A line of Rust text that ends in a backslash goes on with the first letter of the next.
  const text = Object.values(sources)
    .join("\n")
    .replace(/\\\n\s*/g, "");
  const gone = known.filter((english) => english.split("{}").some((part) => !text.includes(part)));
  expect(gone).toEqual([]);
});
