import { expect, it } from "vitest";

import { isComplete, keyText } from "./key";

const fields = [
  { name: "id", title: "Client ID", secret: false, required: true, example: "" },
  { name: "secret", title: "Client secret", secret: true, required: true, example: "" },
  { name: "project", title: "Project", secret: false, required: false, example: "" },
];

it("sends one text as it is, and parts as an object of those that were typed", () => {
  expect(keyText([], " abc ", {})).toBe("abc");
  expect(keyText(fields, "", { id: " a ", secret: 's"x', project: " " })).toBe('{"id":"a","secret":"s\\"x"}');
});

it("is complete with every required part", () => {
  expect(isComplete([], " ", {})).toBe(false);
  expect(isComplete([], "k", {})).toBe(true);
  expect(isComplete(fields, "k", { id: "a" })).toBe(false);
  expect(isComplete(fields, "", { id: "a", secret: "s" })).toBe(true);
});
