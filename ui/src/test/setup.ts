import "@testing-library/jest-dom/vitest";

import { cleanup, configure } from "@testing-library/svelte";
import { afterEach, vi } from "vitest";

// Whether something is hidden by style is asked of every element on the way up, which jsdom answers very slowly. What
// is not to be seen is not in the page here.
configure({ defaultHidden: true, asyncUtilTimeout: 15_000 });

// jsdom lays nothing out: every element is as large as this.
Object.defineProperty(HTMLElement.prototype, "clientWidth", { configurable: true, get: () => 1440 });
Object.defineProperty(HTMLElement.prototype, "clientHeight", { configurable: true, get: () => 370 });

class NeverResized {
  observe() {}
  unobserve() {}
  disconnect() {}
}
vi.stubGlobal("ResizeObserver", NeverResized);

const noMedia = (query: string) => ({
  matches: false,
  media: query,
  addEventListener() {},
  removeEventListener() {},
  addListener() {},
  removeListener() {},
});
vi.stubGlobal("matchMedia", noMedia);
window.matchMedia = noMedia as never;

// What jsdom has not of the top layer.
HTMLElement.prototype.showPopover = function () {
  this.removeAttribute("popover");
};
HTMLDialogElement.prototype.showModal = function () {
  this.open = true;
  this.querySelector<HTMLElement>("input, button")?.focus();
};
HTMLDialogElement.prototype.close = function () {
  this.open = false;
};
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape")
    document.querySelector("dialog[open]")?.dispatchEvent(new Event("cancel", { cancelable: true }));
});

Element.prototype.scrollIntoView = () => undefined;

// A canvas that takes every call and draws nothing.
const nothing: unknown = new Proxy(() => undefined, {
  get: (_, name) => (name === "measureText" ? () => ({ width: 10 }) : nothing),
  set: () => true,
  apply: () => undefined,
});
HTMLCanvasElement.prototype.getContext = (() => nothing) as never;
vi.stubGlobal(
  "Path2D",
  class {
    moveTo() {}
    lineTo() {}
    rect() {}
    arc() {}
    closePath() {}
    addPath() {}
  },
);

afterEach(() => {
  cleanup();
  location.hash = "";
  document.documentElement.removeAttribute("data-theme");
});
