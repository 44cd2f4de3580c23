import { expect, it } from "vitest";

import { isTyping, meaning } from "./keys";

function press(key: string, code: string, more: KeyboardEventInit = {}) {
  return meaning(new KeyboardEvent("keydown", { key, code, ...more }));
}

it("finds keys by what they type", () => {
  expect(press("j", "KeyJ")).toBe("j");
  expect(press("/", "Slash")).toBe("/");
  expect(press("?", "Slash", { shiftKey: true })).toBe("?");
  expect(press("/", "Digit7", { shiftKey: true })).toBe("/");
  expect(press("4", "Digit4")).toBe("4");
  expect(press(",", "Comma")).toBe(",");
  expect(press("Escape", "Escape")).toBe("Escape");
});

it("finds them by place on a Russian layout", () => {
  expect(press("о", "KeyJ")).toBe("j");
  expect(press("ч", "KeyX")).toBe("x");
  expect(press(".", "Slash")).toBe("/");
  expect(press(",", "Slash", { shiftKey: true })).toBe("?");
  expect(press("п", "KeyG")).toBe("g");
  expect(press("щ", "KeyO")).toBe("o");
  expect(press("б", "Comma")).toBe(",");
  expect(press("л", "KeyK", { ctrlKey: true })).toBe("palette");
});

it("leaves the system's own combinations alone", () => {
  expect(press("c", "KeyC", { ctrlKey: true })).toBeNull();
  expect(press("j", "KeyJ", { altKey: true })).toBeNull();
  expect(press("X", "KeyX", { shiftKey: true })).toBeNull();
  expect(press("z", "KeyX")).toBeNull();
});

it("knows when somebody is typing", () => {
  const field = document.createElement("input");
  expect(isTyping(field)).toBe(true);
  field.type = "checkbox";
  expect(isTyping(field)).toBe(false);
  expect(isTyping(document.body)).toBe(false);
});
