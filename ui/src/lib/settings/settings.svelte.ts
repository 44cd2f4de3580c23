import { createContext } from "svelte";

import type { Answers } from "../data/answers";
import type { MarketView, Settings } from "../host/bindings";
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
  columns: [],
  compare: [],
  last_view: null,
  facets_folded: false,
  details_folded: false,
};

/** Changes of one gesture (typing, dragging a column) are saved as one. */
const saveAfter = 250;

/** What a person chose. A change holds at once and is saved a moment later, one save after another. */
export class SettingsState {
  current = $state.raw<Settings>(untilLoaded);
  loaded = $state(false);
  /** Why the last save failed, until one succeeds. */
  failed = $state.raw<HostError | null>(null);

  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<void> = Promise.resolve();
  #unsaved = false;

  constructor(readonly answers: Answers) {}

  /** Reads the settings; what was changed here and is not saved yet wins. */
  async load(): Promise<void> {
    const read = await this.answers.call("settings_get", null);
    if (!this.#unsaved) this.current = read;
    this.loaded = true;
    this.#apply();
  }

  /** Changes some of the settings. */
  change(patch: Partial<Settings>): void {
    this.current = { ...this.current, ...patch };
    this.#unsaved = true;
    this.#apply();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), saveAfter);
  }

  /** Keeps the view for the next run. Not a choice: nothing on the screen follows from it. */
  remember(view: MarketView): void {
    if (JSON.stringify(this.current.last_view) !== JSON.stringify(view)) this.change({ last_view: view });
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
      const sent = this.current;
      try {
        await this.answers.call("settings_set", sent);
        this.failed = null;
      } catch (thrown) {
        this.failed = thrown as HostError;
      }
      if (sent === this.current) this.#unsaved = false;
    });
    return this.#saving;
  }

  #apply(): void {
    locale.choose(this.current.language);
    const root = document.documentElement;
    if (this.current.theme === "dark" || this.current.theme === "light")
      root.dataset.theme = this.current.theme;
    else delete root.dataset.theme;
    root.dataset.density = this.current.density;
  }
}

/** The settings of this window, handed down from the root component. */
export const [getSettings, setSettings] = createContext<SettingsState>();
