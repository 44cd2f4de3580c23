import { expect, it, vi } from "vitest";

import { mockEdit, mockParse } from "../host/mock/query";
import { Line } from "./line.svelte";

function newLine() {
  return new Line({
    parse: (line) => Promise.resolve(mockParse(line)),
    edit: (line, edit) => Promise.resolve(mockEdit(line, edit)),
  });
}

it("makes a chip of a finished term and applies the unfinished one, too", async () => {
  const line = newLine();
  await line.type("h100");
  expect(line.chips).toEqual([]);
  expect(line.applied).toBe("h100");
  await line.type("h100 ");
  expect(line.chips.map(({ text }) => text)).toEqual(["h100"]);
  expect(line.draft).toBe("");
  await line.type("x8");
  expect(line.applied).toBe("h100 x8");
  expect(line.text).toBe("h100 x8");
});

it("keeps what was applied while a word cannot be read, and mends it", async () => {
  const line = newLine();
  await line.type("h100 ");
  await line.type("spott");
  expect(line.error).toMatchObject({ word: "spott", nearest: "spot", at: 5 });
  expect(line.applied).toBe("h100");
  expect(line.tried).toBe("h100");
  await line.mend();
  expect(line.error).toBeNull();
  expect(line.applied).toBe("h100 spot");
});

it("goes back from chips to text and again to chips", async () => {
  const line = newLine();
  await line.replace("h100 x8 zone:eea");
  expect(line.chips).toHaveLength(3);
  line.pull(2);
  expect(line.draft).toBe("zone:eea");
  line.spell();
  expect(line.draft).toBe("h100 x8 zone:eea");
  expect(line.chips).toEqual([]);
  await line.commit();
  expect(line.chips).toHaveLength(3);
});

it("lets facets change the line while an unreadable draft stays", async () => {
  const line = newLine();
  await line.replace("h100");
  await line.type("zz");
  await line.edit({ do: "toggle", key: "zone", value: "EEA" });
  expect(line.applied).toBe("h100 zone:eea");
  expect(line.draft).toBe("zz");
});

it("applies quick changes one after the other", async () => {
  const line = newLine();
  await Promise.all([
    line.edit({ do: "toggle", key: "form", value: "vm" }),
    line.edit({ do: "at_least", key: "vram", value: 80 }),
    line.edit({ do: "toggle", key: "zone", value: "EEA" }),
  ]);
  expect(line.applied).toBe("form:vm vram>=80 zone:eea");
  await line.remove(1);
  expect(line.applied).toBe("form:vm zone:eea");
});

it("does not let a slow answer overtake a later one", async () => {
  const waiting: (() => void)[] = [];
  const line = new Line({
    parse: (text) => new Promise((resolve) => waiting.push(() => resolve(mockParse(text)))),
    edit: () => Promise.reject(new Error("not asked")),
  });
  const first = line.type("h100");
  const second = line.type("h200");
  await vi.waitFor(() => expect(waiting).toHaveLength(2));
  waiting[1]?.();
  await second;
  waiting[0]?.();
  await first;
  expect(line.applied).toBe("h200");
});

/** A desk that answers when it is let. */
function slowLine() {
  const waiting: { text: string; go: () => void }[] = [];
  const line = new Line({
    parse: (text) => new Promise((resolve) => waiting.push({ text, go: () => resolve(mockParse(text)) })),
    edit: (text, edit) =>
      new Promise((resolve) => waiting.push({ text, go: () => resolve(mockEdit(text, edit)) })),
  });
  const answer = async (text: string) => {
    await vi.waitFor(() => expect(waiting.some((one) => one.text === text)).toBe(true));
    const at = waiting.findIndex((one) => one.text === text);
    waiting.splice(at, 1)[0]?.go();
  };
  return { line, answer };
}

it("keeps what is typed apart from a restored line that is still being read", async () => {
  const { line, answer } = slowLine();
  const restored = line.restore("vram>=4");
  expect(line.tried).toBe("vram>=4");
  expect(line.draft).toBe("");
  const typed = line.type("vram>=40");
  expect(line.tried).toBe("vram>=4 vram>=40");
  await answer("vram>=4");
  await restored;
  await answer("vram>=4 vram>=40");
  await typed;
  expect(line.error).toBeNull();
  expect(line.applied).toBe("vram>=4 vram>=40");
  expect(line.chips.map(({ key, value }) => key + value)).toEqual(["vram4"]);
  expect(line.draft).toBe("vram>=40");
});

it("puts a restored line that cannot be read any more into the field, before what is typed", async () => {
  const { line, answer } = slowLine();
  const restored = line.restore("spott");
  const typed = line.type("h100");
  await answer("spott");
  await answer("spott h100");
  await answer("spott h100");
  await Promise.all([restored, typed]);
  expect(line.chips).toEqual([]);
  expect(line.draft).toBe("spott h100");
  expect(line.error).toMatchObject({ word: "spott" });
  expect(line.applied).toBe("");
});

it("does not make a chip again of one that was turned back into text meanwhile", async () => {
  const { line, answer } = slowLine();
  const replaced = line.replace("h100 x8");
  await answer("h100 x8");
  await replaced;
  const left = line.commit();
  line.pull(1);
  await answer("h100 x8");
  await left;
  expect(line.draft).toBe("x8");
  expect(line.chips.map(({ text }) => text)).toEqual(["h100"]);
});

it("keeps what is typed while a facet changes the line", async () => {
  const { line, answer } = slowLine();
  const edited = line.edit({ do: "toggle", key: "form", value: "vm" });
  const typed = line.type("h100");
  await answer("");
  await answer("form:vm h100");
  await edited;
  await answer("h100");
  await typed;
  expect(line.draft).toBe("h100");
  expect(line.applied).toBe("form:vm h100");
});
