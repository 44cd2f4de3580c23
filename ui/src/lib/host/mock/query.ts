import type { Chip, Edit, OfferRow, ParsedLine } from "../bindings";
import { mockAllowed } from "./policies";

// As much of the query language as tests and work on the looks need. The language itself is the desk's.

const bare: Record<string, [key: string, value: string]> = {
  spot: ["kind", "spot"],
  "on-demand": ["kind", "on-demand"],
  instock: ["supply", "in-stock"],
  nvlink: ["link", "nvlink"],
};
const cards = ["h100", "h200", "b200", "a100", "l40s", "rtx4090", "t4", "mi300x"];
const columns = [
  "zone",
  "country",
  "seller",
  "form",
  "kind",
  "cloud",
  "source",
  "supply",
  "link",
  "gpu",
  "policy",
];

function chipOf(word: string): Chip | null {
  const times = /^x(\d+)$/.exec(word);
  if (times) return { text: word, key: "count", op: "=", value: times[1] ?? "", negated: false };
  const bound = /^(vram|price|ram)(>=|<)([\d.]+)$/.exec(word);
  if (bound)
    return {
      text: word,
      key: bound[1] ?? "",
      op: bound[2] === "<" ? "<" : "≥",
      value: bound[3] ?? "",
      negated: false,
    };
  const listed = /^([a-z]+):(.+)$/.exec(word);
  if (listed && columns.includes(listed[1] ?? "")) {
    const op = listed[1] === "gpu" ? "" : ":";
    return {
      text: word,
      key: listed[1] ?? "",
      op,
      value: (listed[2] ?? "").replaceAll("_", " "),
      negated: false,
    };
  }
  const fact = bare[word];
  if (fact) return { text: word, key: fact[0], op: ":", value: fact[1], negated: false };
  if (cards.includes(word))
    return { text: word, key: "gpu", op: "", value: word.toUpperCase(), negated: false };
  return null;
}

/** Reads a line. */
export function mockParse(line: string): ParsedLine {
  const chips: Chip[] = [];
  let at = 0;
  for (const word of line.split(" ")) {
    const chip = word === "" ? null : chipOf(word.toLowerCase());
    if (word !== "" && !chip) {
      const known = [...cards, ...Object.keys(bare)];
      const nearest = known.find((one) => one.slice(0, 3) === word.toLowerCase().slice(0, 3)) ?? null;
      return {
        canonical: line,
        chips: [],
        error: { word, at, nearest, message: `\`${word}\` is no card or word known here` },
      };
    }
    if (chip) chips.push(chip);
    at += word.length + 1;
  }
  return { canonical: chips.map((chip) => chip.text).join(" "), chips, error: null };
}

/** Changes a line. */
export function mockEdit(line: string, edit: Edit): ParsedLine {
  let { chips } = mockParse(line);
  if (edit.do === "remove") chips = chips.filter((_, i) => i !== edit.index);
  if (edit.do === "clear") chips = chips.filter((chip) => chip.key !== edit.key);
  if (edit.do === "at_least") {
    chips = chips.filter((chip) => chip.key !== edit.key);
    if (edit.value !== null) chips.push(...mockParse(`${edit.key}>=${edit.value}`).chips);
  }
  if (edit.do === "toggle") {
    const text = `${edit.key}:${edit.value.replaceAll(" ", "_")}`;
    const had = chips.some((chip) => chip.text === text);
    chips = had ? chips.filter((chip) => chip.text !== text) : [...chips, ...mockParse(text).chips];
  }
  return { canonical: chips.map((chip) => chip.text).join(" "), chips, error: null };
}

function values(row: OfferRow, key: string): string[] {
  const { offer } = row;
  switch (key) {
    case "gpu":
      return [row.gpu_title];
    case "form":
      return [offer.form];
    case "kind":
      return [offer.price.kind];
    case "zone":
      return offer.place.country ? offer.place.zones : ["unknown"];
    case "cloud":
      return [offer.cloud];
    case "seller":
      return [offer.place.seller ?? "unknown"];
    case "source":
      return [offer.source];
    case "supply":
      return [offer.supply.state];
    case "link":
      return [offer.gpu.link ?? "unknown"];
    case "policy":
      return mockAllowed(offer);
    case "country":
      return [offer.place.country ?? "unknown"];
    default:
      return [];
  }
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[\s-]/g, "");
}

function fits(row: OfferRow, key: string, group: Chip[]): boolean {
  const [first] = group;
  const bound = Number(first?.value);
  if (key === "count") return row.offer.gpu.count === bound;
  if (key === "vram") return (row.offer.gpu.vram_gib ?? 0) >= bound;
  if (key === "ram") return (row.offer.ram_gib ?? 0) >= bound;
  if (key === "price") return Number(row.per_gpu_hour) < bound;
  return group.some((chip) => values(row, key).some((value) => plain(value).startsWith(plain(chip.value))));
}

/** The rows that match a line; `without` leaves one column's conditions out, as facets count. */
export function mockMatches(rows: OfferRow[], line: string, without = ""): OfferRow[] {
  const groups = new Map<string, Chip[]>();
  for (const chip of mockParse(line).chips) {
    if (chip.key !== without) groups.set(chip.key, [...(groups.get(chip.key) ?? []), chip]);
  }
  return rows.filter((row) => [...groups].every(([key, group]) => fits(row, key, group)));
}

/** The facets of a line. */
export function mockFacets(rows: OfferRow[], line: string) {
  const { chips } = mockParse(line);
  const keys = ["gpu", "form", "zone", "link", "cloud", "kind", "seller", "source", "supply", "policy"];
  const facets = keys.map((key) => {
    const counts = new Map<string, number>();
    for (const row of mockMatches(rows, line, key)) {
      for (const value of values(row, key)) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const chosen = (value: string) =>
      chips.some((chip) => chip.key === key && plain(value).startsWith(plain(chip.value)));
    const list = [...counts].map(([value, count]) => ({ value, title: value, count, chosen: chosen(value) }));
    return { key, values: list.sort((a, b) => b.count - a.count) };
  });
  const without = mockMatches(rows, line, "vram");
  const steps = [8, 16, 24, 48, 80, 141, 180].map((step) => ({
    value: String(step),
    title: String(step),
    count: without.filter((row) => (row.offer.gpu.vram_gib ?? 0) >= step).length,
    chosen: chips.some((chip) => chip.key === "vram" && chip.value === String(step)),
  }));
  return [...facets, { key: "vram", values: steps }];
}
