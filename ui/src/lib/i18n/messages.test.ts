import { expect, it } from "vitest";

import en from "../../../messages/en.json";
import ru from "../../../messages/ru.json";
import { m } from "../../paraglide/messages.js";
import { locale } from "./locale.svelte";

type Forms = { declarations: string[]; match: Record<string, string> }[];
type Message = string | Forms;

const english = en as Record<string, Message>;
const russian = ru as Record<string, Message>;
const keys = Object.keys(english).filter((key) => key !== "$schema");

function texts(message: Message | undefined): string[] {
  if (message === undefined) return [];
  return typeof message === "string" ? [message] : message.flatMap((form) => Object.values(form.match));
}

function inputs(message: Message | undefined): string[] {
  const named = texts(message).flatMap((text) => text.match(/\{\w+\}/g) ?? []);
  return [...new Set(named)].sort();
}

it("has the same messages in both languages", () => {
  expect(Object.keys(russian).sort()).toEqual(Object.keys(english).sort());
});

it("takes the same arguments in both languages", () => {
  const differing = keys.filter((key) => inputs(english[key]).join() !== inputs(russian[key]).join());
  expect(differing).toEqual([]);
});

it("has every plural form of each language", () => {
  for (const key of keys) {
    for (const [message, forms] of [
      [english[key], ["one", "other"]],
      [russian[key], ["one", "few", "many", "other"]],
    ] as const) {
      if (typeof message === "string" || message === undefined) continue;
      for (const { match } of message) {
        expect(Object.keys(match), key).toEqual(forms.map((form) => `forms=${form}`));
      }
    }
  }
});

it("is translated: no Russian text without a Cyrillic letter but names and signs", () => {
  const same =
    /^(?:[\W\d]|\{\w+\}|GPU|Desk|CUDA|CSV|JSON|vCPU|spot|serverless|NVLink|PCIe|InfiniBand|RoCE|EFA|GB)*$/;
  const untranslated = keys.filter((key) =>
    texts(russian[key]).some((text) => !/[а-яё]/i.test(text) && !same.test(text)),
  );
  expect(untranslated).toEqual([]);
});

it("uses every message somewhere", () => {
  const sources = import.meta.glob<string>("../../**/*.{svelte,ts}", {
    query: "?raw",
    import: "default",
    eager: true,
  });
  const used = new Set(
    Object.entries(sources)
      .filter(([path]) => !path.includes("/paraglide/"))
      .flatMap(([, text]) => [...text.matchAll(/\bm\.(\w+)/g)].map((found) => found[1])),
  );
  expect(keys.filter((key) => !used.has(key))).toEqual([]);
});

it("chooses the Russian plural by number", () => {
  locale.choose("ru");
  const offers = (n: number) => m.feed_offers({ n, text: String(n) });
  expect([1, 3, 5, 11, 21, 112].map(offers)).toEqual([
    "1 предложение",
    "3 предложения",
    "5 предложений",
    "11 предложений",
    "21 предложение",
    "112 предложений",
  ]);
  locale.choose("en");
  expect([1, 2].map(offers)).toEqual(["1 offer", "2 offers"]);
});

it("never trusts the system's language beyond comparing it", () => {
  locale.choose("C");
  expect(["en", "ru"]).toContain(locale.current);
});
