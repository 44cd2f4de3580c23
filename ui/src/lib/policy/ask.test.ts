import { afterEach, expect, it } from "vitest";

import { locale } from "../i18n/locale.svelte";
import { asks, nameOf, typed } from "./ask";

afterEach(() => locale.choose("en"));

const gdpr = {
  name: "gdpr",
  title: "GDPR",
  built_in: true,
  place: ["EEA"],
  seller: ["EEA", "adequacy"],
  certificates: [],
  isolation: [],
  on_breach: "block",
};

it("says what a policy asks for in one line", () => {
  expect(asks(gdpr)).toBe("Place: EEA · Seller: EEA, countries with an adequacy decision · Blocks");
  const own = { ...gdpr, seller: [], certificates: ["iso-27001"], isolation: ["vm"], on_breach: "warn" };
  expect(asks(own)).toBe(
    "Place: EEA · Holds: ISO 27001 · Tenants: VM, others behind a hypervisor · Warns only",
  );
  locale.choose("ru");
  expect(asks(gdpr)).toBe("Место: ЕЭЗ · Продавец: ЕЭЗ, страны с решением об адекватности · Запрещает");
});

it("reads areas as people type them and makes a name of a title", () => {
  expect(typed(" EEA, ch;United Kingdom ,, ")).toEqual(["EEA", "ch", "United Kingdom"]);
  expect(nameOf("Only Germany & France!")).toBe("only-germany-france");
  expect(nameOf("Только Россия")).toBe("");
});
