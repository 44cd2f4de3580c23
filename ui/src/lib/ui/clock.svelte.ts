import { createSubscriber } from "svelte/reactivity";

const second = 1000;

/** The time, told each second to whoever reads it; nothing ticks while nobody does. */
class Clock {
  readonly #follow = createSubscriber((tell) => {
    const timer = setInterval(tell, second);
    return () => clearInterval(timer);
  });

  /** Milliseconds since 1970. */
  get now(): number {
    this.#follow();
    return Date.now();
  }
}

/** The clock of this window. */
export const clock = new Clock();

/** Seconds since an RFC 3339 time; negative for one to come. */
export function secondsSince(time: string): number {
  return (clock.now - Date.parse(time)) / second;
}
