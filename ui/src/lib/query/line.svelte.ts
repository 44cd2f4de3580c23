import { tick } from "svelte";

import type { Chip, Edit, LineError, ParsedLine } from "../host/bindings";

/** What the line asks of the desk, which alone knows the language. */
export interface Reader {
  parse: (line: string) => Promise<ParsedLine>;
  edit: (line: string, edit: Edit) => Promise<ParsedLine>;
}

/**
 * The query line as it is being written: finished terms are chips, the rest is text. Facets and chips change the same
 * line. `applied` is the last line that could be read; it is what the table shows.
 */
export class Line {
  chips = $state.raw<Chip[]>([]);
  draft = $state("");
  error = $state.raw<LineError | null>(null);
  applied = $state("");
  /** What the table may ask for already while the line is still being read; `applied` again if it cannot be. */
  tried = $state("");

  /** Grows with every change of the text: an answer to an older text is not wanted any more. */
  #latest = 0;
  /** The draft that `applied` holds already. */
  #taken = "";
  #edits: Promise<void> = Promise.resolve();

  constructor(readonly reader: Reader) {}

  /** The whole line: chips and draft. */
  get text(): string {
    return [...this.chips.map((chip) => chip.text), this.draft.trim()]
      .filter((part) => part !== "")
      .join(" ");
  }

  /** Whether nothing is filtered. */
  get isEmpty(): boolean {
    return this.chips.length === 0 && this.draft.trim() === "";
  }

  /** The draft was changed to this. A space after a readable term makes it a chip. */
  async type(draft: string): Promise<void> {
    this.draft = draft;
    const parsed = await this.#read();
    if (parsed && !parsed.error && /\s$/.test(this.draft)) this.#settle(parsed);
  }

  /** Makes chips of all that can be read. */
  async commit(): Promise<void> {
    const parsed = await this.#read();
    if (parsed && !parsed.error) this.#settle(parsed);
  }

  /** Replaces the whole line. */
  async replace(line: string): Promise<void> {
    this.chips = [];
    this.draft = line;
    await this.commit();
  }

  /**
   * Takes up the line of the last run. Until it is read it stands as one chip, so that what is typed meanwhile stays
   * apart from it; one that cannot be read any more goes back into the field to be mended.
   */
  async restore(line: string): Promise<void> {
    this.applied = line;
    this.tried = line;
    if (line === "") return;
    const whole: Chip = { text: line, key: "", op: "", value: line, negated: false };
    this.chips = [whole];
    const parsed = await this.reader.parse(line);
    const at = this.chips.indexOf(whole);
    if (at === -1) return;
    if (!parsed.error) {
      this.chips = this.chips.toSpliced(at, 1, ...parsed.chips);
      if (this.draft === "" && this.applied === line) this.applied = parsed.canonical;
      return;
    }
    this.chips = this.chips.toSpliced(at, 1);
    this.draft = [line, this.draft].filter((part) => part !== "").join(" ");
    this.applied = "";
    await this.#read();
  }

  /** Takes a chip away. */
  async remove(index: number): Promise<void> {
    this.chips = this.chips.filter((_, i) => i !== index);
    await this.#read();
  }

  /** Turns a chip back into text at the end of the line. */
  pull(index: number): void {
    const chip = this.chips[index];
    if (!chip) return;
    this.#latest += 1;
    this.chips = this.chips.filter((_, i) => i !== index);
    this.draft = [this.draft.trim(), chip.text].filter((part) => part !== "").join(" ");
    this.#taken = this.draft;
  }

  /** Turns every chip back into text. */
  spell(): void {
    this.#latest += 1;
    this.draft = this.text;
    this.#taken = this.draft;
    this.chips = [];
  }

  /** Puts the nearest known word in place of the one that could not be read. */
  async mend(): Promise<void> {
    const { error } = this;
    if (!error?.nearest) return;
    const at = this.draft.indexOf(error.word);
    if (at === -1) return;
    await this.type(this.draft.slice(0, at) + error.nearest + this.draft.slice(at + error.word.length));
  }

  /** Changes the line as a facet asks; one change after the other. A draft that cannot be read yet stays. */
  edit(edit: Edit): Promise<void> {
    this.#edits = this.#edits.then(async () => {
      const taken = this.#taken;
      const parsed = await this.reader.edit(this.applied, edit);
      if (parsed.error) return;
      this.#latest += 1;
      this.chips = parsed.chips;
      this.applied = parsed.canonical;
      this.tried = parsed.canonical;
      this.#taken = "";
      // What was typed meanwhile, or cannot be read yet, is in no chip.
      if (this.draft !== taken) await this.#read();
      else if (!this.error) this.draft = "";
    });
    return this.#edits;
  }

  async #read(): Promise<ParsedLine | null> {
    const asked = ++this.#latest;
    const { text, draft } = this;
    this.tried = text;
    // Whoever follows `tried` asks for rows first: they are what is waited for.
    await tick();
    const parsed = await this.reader.parse(text);
    if (asked !== this.#latest) return null;
    this.error = parsed.error;
    if (parsed.error) {
      this.tried = this.applied;
    } else {
      this.applied = parsed.canonical;
      this.#taken = draft;
    }
    return parsed;
  }

  #settle(parsed: ParsedLine): void {
    this.chips = parsed.chips;
    this.draft = "";
    this.#taken = "";
  }
}
