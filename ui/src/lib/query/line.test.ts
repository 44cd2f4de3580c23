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
