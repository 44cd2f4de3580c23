import { beforeEach, describe, expect, it } from "vitest";

import { locale } from "../i18n/locale.svelte";
import { amount, exact, money, moneyRange, symbol } from "./money";
import { change, number, share } from "./number";
import { country } from "./place";
import { ago, isoDay, span, step } from "./time";
import * as units from "./units";

const thin = "\u202f";
const nb = "\u00a0";

beforeEach(() => locale.choose("en"));

describe("numbers", () => {
  it("have thin spaces in thousands and the language's decimal mark", () => {
    expect(number(12480)).toBe(`12${thin}480`);
    expect(number(1106)).toBe(`1${thin}106`);
    expect(number("1234.5", 2)).toBe(`1${thin}234.50`);
    locale.choose("ru");
    expect(number("1234.5", 2)).toBe(`1${thin}234,50`);
  });

  it("keep every digit of a decimal string", () => {
    expect(number("9007199254740993.25", 2)).toBe(`9${thin}007${thin}199${thin}254${thin}740${thin}993.25`);
  });

  it("show changes with a sign and a true minus", () => {
    expect(change(-12.4)).toBe(`−12${nb}%`);
    expect(change(6)).toBe(`+6${nb}%`);
    expect(change(0)).toBe(`0${nb}%`);
    expect(change(-0.04)).toBe(`0${nb}%`);
    expect(share(0.9931)).toBe(`99.3${nb}%`);
    expect(share(0.97)).toBe(`97${nb}%`);
  });
});

describe("money", () => {
  it("is as exact as its size asks", () => {
    expect(amount("0.0432", "USD")).toBe(`4.3${nb}¢`);
    expect(money("0.0432", "USD")).toBe(`4.3${nb}¢`);
    expect(money("1.99", "USD")).toBe("$1.99");
    expect(money("791.3", "USD")).toBe("$791");
    expect(money("99.999", "USD")).toBe("$100");
    expect(money("1106", "EUR")).toBe(`€1${thin}106`);
    expect(money("0", "USD")).toBe("$0");
    expect(money("0.043", "RUB")).toBe("₽0.043");
  });

  it("follows the language's order", () => {
    locale.choose("ru");
    expect(money("1.99", "USD")).toBe(`1,99${nb}$`);
    expect(money("19412", "RUB")).toBe(`19${thin}412${nb}₽`);
    expect(moneyRange("791", "903", "USD")).toBe(`791–903${nb}$`);
  });

  it("shows a range only where its ends read differently", () => {
    expect(moneyRange("791.10", "903.4", "USD")).toBe("$791–903");
    expect(moneyRange("791.10", "791.2", "USD")).toBe("$791");
    expect(moneyRange("0.043", "1.2", "USD")).toBe(`4.3${nb}¢–$1.20`);
    expect(moneyRange("12", "14", "KZT")).toBe(`12.00–14.00${nb}KZT`);
  });

  it("shows cents where lines add up", () => {
    expect(exact("764.16", "USD")).toBe("$764.16");
    expect(exact("0.003", "USD")).toBe("$0.003");
    expect(exact("-12.5", "USD")).toBe("−$12.50");
  });

  it("names a currency without a sign by its letters", () => {
    expect(symbol("KZT")).toBe("KZT");
    expect(money("12", "KZT")).toBe(`12.00${nb}KZT`);
  });
});

describe("units", () => {
  it("carry their unit", () => {
    expect(units.gib(640)).toBe(`640${nb}GiB`);
    expect(units.bandwidth(3350)).toBe(`3.35${nb}TB/s`);
    expect(units.bandwidth(2000)).toBe(`2.00${nb}TB/s`);
    expect(units.bandwidth(864)).toBe(`864${nb}GB/s`);
    expect(units.network(812)).toBe(`812${nb}Mbit/s`);
    expect(units.network(25000)).toBe(`25${nb}Gbit/s`);
    expect(units.gb(500)).toBe(`500${nb}GB`);
    expect(units.gb(12000)).toBe(`12${nb}TB`);
    expect(units.tflops(165.2)).toBe(`165${nb}TFLOPS`);
    expect(units.hours(48)).toBe(`48${nb}h`);
    expect(units.bytes(18_400_000)).toBe(`18${nb}MiB`);
    locale.choose("ru");
    expect(units.bandwidth(3350)).toBe(`3,35${nb}TB/s`);
    expect(units.hours(1.5)).toBe(`1,5${nb}ч`);
  });
});

describe("times", () => {
  it("say the largest unit", () => {
    expect(ago(12)).toBe("just now");
    expect(ago(125)).toBe(`2${nb}min ago`);
    expect(span(3 * 3600 + 5)).toBe(`3${nb}h`);
    expect(span(5 * 30.44 * 86_400 + 9)).toBe(`5${nb}months`);
    expect(step(600)).toBe(`10${nb}min`);
    expect(step(1)).toBe(`1${nb}s`);
    expect(step(3600)).toBe(`1${nb}h`);
    expect(isoDay("2026-06-18T10:00:00Z")).toBe("2026-06-18");
  });

  it("have the right Russian plural", () => {
    locale.choose("ru");
    const months = (n: number) => span(n * 30.44 * 86_400 + 9);
    expect(months(3)).toBe(`3${nb}месяца`);
    expect(months(5)).toBe(`5${nb}месяцев`);
    expect(months(21)).toBe(`21${nb}месяц`);
  });
});

it("names countries in the reader's language and leaves what is no country", () => {
  expect(country("FI")).toBe("Finland");
  expect(country("unknown")).toBe("unknown");
  locale.choose("ru");
  expect(country("FI")).toBe("Финляндия");
});
