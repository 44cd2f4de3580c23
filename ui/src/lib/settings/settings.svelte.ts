import { createContext } from "svelte";

import type { Answers } from "../data/answers";
import type { Settings } from "../host/bindings";
import type { HostError } from "../host/host";
import { locale } from "../i18n/locale.svelte";

/** What holds until the desk has told what a person chose; the desk's own defaults are the same. */
const untilLoaded: Settings = {
  theme: "system",
  language: "system",
  currency: "USD",
  job: null,
  density: "normal",
  welcomed: true,
  auto_refresh: true,
  proxy: "",
  ca_file: "",
  catalogue_url: "",
  lease: { hours: 8, idle_minutes: null, on_expiry: null, part_s: 60 },
  columns: [],
  compare: [],
  last_view: null,
  last_plan: null,
  last_buy: null,
  facets_folded: false,
  details_folded: false,
};

/** Changes of one gesture (dragging a column) are saved as one. */
const saveAfter = 250;

/** What is on the screen changes with every key press; it is kept for the next run only. */
const rememberAfter = 1000;

/** What is kept for the next run. */
type Remembered = Partial<Pick<Settings, "last_view" | "last_plan" | "last_buy">>;

/** What a person chose. A change holds at once and is saved a moment later, one save after another. */
export class SettingsState {
  current = $state.raw<Settings>(untilLoaded);
  loaded = $state(false);
  // Each on its own, so that a change of one setting redraws nothing that hangs on another.
  readonly columns = $derived(this.current.columns);
  readonly compare = $derived(this.current.compare);
  readonly currency = $derived(this.current.currency);
  readonly job = $derived(this.current.job);
  /** Why the last save failed, until one succeeds. */
  failed = $state.raw<HostError | null>(null);

  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<void> = Promise.resolve();
  #unsaved = false;
  #kept: Remembered = {};

  constructor(readonly answers: Answers) {}

  /** Reads the settings; what was changed here and is not saved yet wins. */
  async load(): Promise<void> {
    const read = await this.answers.call("settings_get", null);
    if (!this.#unsaved && JSON.stringify(read) !== JSON.stringify(this.current)) this.current = read;
    this.loaded = true;
    this.#apply();
  }

  /** Changes some of the settings. */
  change(patch: Partial<Settings>): void {
    this.current = { ...this.current, ...patch };
    this.#apply();
    this.#saveIn(saveAfter);
  }

  #saveIn(milliseconds: number): void {
    this.#unsaved = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), milliseconds);
  }

  /** Keeps this for the next run. Nothing on the screen follows from it, so `current` stays as it is. */
  remember(kept: Remembered): void {
    const before = { ...this.current, ...this.#kept };
    if (JSON.stringify({ ...before, ...kept }) === JSON.stringify(before)) return;
    this.#kept = { ...this.#kept, ...kept };
    this.#saveIn(rememberAfter);
  }

  /** Reads again what another window or the command line changed; what is being changed here stays. */
  async reload(): Promise<void> {
    if (!this.#unsaved) await this.load();
  }

  /** Saves now what is not saved yet. */
  save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#saving = this.#saving.then(async () => {
      // Before the first answer there is nothing to build on: saving would overwrite what another run chose.
      if (!this.#unsaved || !this.loaded) return;
      const before = this.current;
      const kept = this.#kept;
      const sent = { ...before, ...kept };
      try {
        await this.answers.call("settings_set", sent);
        this.failed = null;
        if (before !== this.current || kept !== this.#kept) return;
        this.#unsaved = false;
        this.current = sent;
      } catch (thrown) {
        this.failed = thrown as HostError;
      }
    });
    return this.#saving;
  }

  #apply(): void {
    locale.choose(this.current.language);
    const { dataset } = document.documentElement;
    const { theme, density } = this.current;
    // Writing what is there already would make the engine style the whole page anew.
    if (theme !== "dark" && theme !== "light") delete dataset.theme;
    else if (dataset.theme !== theme) dataset.theme = theme;
    if (dataset.density !== density) dataset.density = density;
  }
}

/** The settings of this window, handed down from the root component. */
export const [getSettings, setSettings] = createContext<SettingsState>();
