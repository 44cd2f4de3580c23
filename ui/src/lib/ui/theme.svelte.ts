import { createSubscriber } from "svelte/reactivity";

/** Follows which half of the colours holds: for what is drawn once and keeps its colours. */
class Theme {
  readonly #follow = createSubscriber((tell) => {
    const system = matchMedia("(prefers-color-scheme: dark)");
    const chosen = new MutationObserver(tell);
    system.addEventListener("change", tell);
    chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      system.removeEventListener("change", tell);
      chosen.disconnect();
    };
  });

  /** The colour behind a token such as `--info`, as an element has it now. */
  colour(element: HTMLElement, token: string): string {
    this.#follow();
    element.style.color = `var(${token})`;
    const value = getComputedStyle(element).color;
    element.style.color = "";
    return value;
  }
}

/** The colours of this window. */
export const theme = new Theme();
