import { createContext } from "svelte";

import type { Answers } from "../data/answers";
import { happened } from "../error/errors";

/** Whether this desk is at the practice market, where nothing costs money. */
export class PracticeState {
  on = $state(false);
  /** Whether the way there or back is under way. */
  moving = $state(false);

  constructor(readonly answers: Answers) {}

  /** Asks where the desk is. A desk that cannot say is not at the practice market. */
  async load(): Promise<void> {
    try {
      this.on = (await this.answers.call("practice_get", null)).on;
    } catch {
      this.on = false;
    }
  }

  /** Goes there or back; the reason where that failed. */
  async go(on: boolean): Promise<string | null> {
    this.moving = true;
    try {
      const now = await this.answers.call("practice_set", { on });
      this.on = now.on;
      return now.problem ? happened(now.problem) : null;
    } finally {
      this.moving = false;
    }
  }
}

/** Where the desk of this window is, handed down from the root component. */
export const [getPractice, setPractice] = createContext<PracticeState>();
