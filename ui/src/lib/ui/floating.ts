import type { Attachment } from "svelte/attachments";

import { place, type Box, type Wish } from "./place";

/** What a floating sheet needs of the one who opens it. */
export interface Floating extends Wish {
  /** Beside what it stands. */
  anchor: () => Box;
  /** What does not count as outside, besides the sheet itself. */
  opener?: () => Element | null | undefined;
  /** Esc, a press outside, or the focus going elsewhere. */
  onclose: () => void;
}

/**
 * Lifts an element above everything (the top layer, so nothing clips it), places it, takes the focus, and closes it
 * as people expect. Taking it away gives the focus back to where it was.
 */
export function floating(options: Floating): Attachment<HTMLElement> {
  return (sheet) => {
    const before = document.activeElement;
    sheet.showPopover?.();

    const settle = () => {
      sheet.style.maxHeight = "";
      const window_ = {
        width: document.documentElement.clientWidth,
        height: document.documentElement.clientHeight,
      };
      const { left, top, room } = place(
        options.anchor(),
        { width: sheet.offsetWidth, height: sheet.offsetHeight },
        window_,
        options,
      );
      sheet.style.left = `${left}px`;
      sheet.style.top = `${top}px`;
      sheet.style.maxHeight = `${room}px`;
    };
    settle();
    sheet.focus({ preventScroll: true });

    const isInside = (target: EventTarget | null) =>
      target instanceof Node && (sheet.contains(target) || options.opener?.()?.contains(target) === true);
    const pressed = (event: PointerEvent) => {
      if (!isInside(event.target)) options.onclose();
    };
    const keyed = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      event.preventDefault();
      event.stopPropagation();
      options.onclose();
    };
    const left = (event: FocusEvent) => {
      // Null: the window itself lost the focus, or a press on something that takes none, which is heard above.
      if (event.relatedTarget !== null && !isInside(event.relatedTarget)) options.onclose();
    };
    window.addEventListener("pointerdown", pressed, true);
    window.addEventListener("resize", settle);
    sheet.addEventListener("keydown", keyed);
    sheet.addEventListener("focusout", left);
    return () => {
      window.removeEventListener("pointerdown", pressed, true);
      window.removeEventListener("resize", settle);
      sheet.removeEventListener("keydown", keyed);
      sheet.removeEventListener("focusout", left);
      const focused = document.activeElement;
      const lost = focused === null || focused === document.body || sheet.contains(focused);
      if (lost && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  };
}
