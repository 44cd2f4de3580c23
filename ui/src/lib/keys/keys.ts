/** Keys a view or the shell acts on, by what they mean. */
export type Key =
  | "1"
  | "2"
  | "3"
  | "4"
  | ","
  | "/"
  | "?"
  | "j"
  | "k"
  | "x"
  | "r"
  | "c"
  | "s"
  | "e"
  | "l"
  | "["
  | "]"
  | "g"
  | "o"
  | "palette"
  | "Escape"
  | "Enter";

/** Letters by their place on the board, for layouts that have no Latin letters there. */
const byPlace: Record<string, Key> = {
  KeyJ: "j",
  KeyK: "k",
  KeyX: "x",
  KeyR: "r",
  KeyC: "c",
  KeyS: "s",
  KeyE: "e",
  KeyL: "l",
  BracketLeft: "[",
  BracketRight: "]",
  KeyG: "g",
  KeyO: "o",
  Comma: ",",
};

function isLatin(key: string): boolean {
  return key.length === 1 && key.charCodeAt(0) < 128;
}

/**
 * What a key press means. On a Russian layout the letters are found by their place, `/` is the key that types `.`
 * there, and `?` the same key with shift.
 */
export function meaning(event: KeyboardEvent): Key | null {
  if (event.isComposing || event.altKey) return null;
  const command = event.ctrlKey || event.metaKey;
  if (command) return event.code === "KeyK" || event.key.toLowerCase() === "k" ? "palette" : null;
  if (event.code === "Slash" && event.shiftKey) return "?";
  if (event.code === "Slash" && event.key === ".") return "/";
  if (event.key === "?" || event.key === "/") return event.key;
  if (event.shiftKey && event.key !== "Escape") return null;
  if (event.key === "Escape" || event.key === "Enter") return event.key;
  if (/^[1-4,jkxrcselgo[\]]$/.test(event.key)) return event.key as Key;
  return isLatin(event.key) ? null : (byPlace[event.code] ?? null);
}

/** Whether the press belongs to a field that is being typed into. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
    return true;
  return (
    target instanceof HTMLInputElement && !["checkbox", "radio", "range", "button"].includes(target.type)
  );
}

/** Whether Enter presses what has the focus. */
export function isOnControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("button, a, input") !== null;
}

/** Whether something floats above the view and takes the keys itself. */
export function isCovered(): boolean {
  return document.querySelector('[role="dialog"], [role="menu"]') !== null;
}
