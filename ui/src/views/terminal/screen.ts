import { FitAddon } from "@xterm/addon-fit";
import { Terminal, type ITheme } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";

/** What a screen does for its tab. */
export interface Screen {
  readonly cols: number;
  readonly rows: number;
  write(bytes: Uint8Array): void;
  focus(): void;
  /** Takes the size of its place. */
  fit(): void;
  /** Takes the colours of the window. */
  paint(): void;
  close(): void;
}

interface Hands {
  ontype: (text: string) => void;
  onresize: (cols: number, rows: number) => void;
  /** The key that leaves the terminal. */
  onleave: () => void;
  oncopy: (text: string) => void;
}

const fontSize = 13;
const remembered = 5000;

/** Colours of the sixteen names, readable on the window's own ground in both themes. */
const palettes = {
  dark: [
    ["black", "#3b4550"],
    ["red", "#f17c7a"],
    ["green", "#4cc38a"],
    ["yellow", "#e5a93c"],
    ["blue", "#74b3f6"],
    ["magenta", "#c79bf2"],
    ["cyan", "#5cc7d0"],
    ["white", "#d5dbe3"],
  ],
  light: [
    ["black", "#161b21"],
    ["red", "#b52c2c"],
    ["green", "#0e7a53"],
    ["yellow", "#8a5600"],
    ["blue", "#1a5dac"],
    ["magenta", "#7a3fb0"],
    ["cyan", "#0b6b78"],
    ["white", "#525d6a"],
  ],
} as const;

/** The window's colours: a canvas and a terminal know no custom properties. */
function theme(place: HTMLElement): ITheme {
  const before = place.style.color;
  const colour = (token: string) => {
    place.style.color = `var(${token})`;
    return getComputedStyle(place).color;
  };
  const background = colour("--bg");
  const found: ITheme = {
    background,
    foreground: colour("--ink"),
    cursor: colour("--accent"),
    cursorAccent: background,
    selectionBackground: colour("--bar-other"),
  };
  place.style.color = before;
  const levels = background
    .match(/[\d.]+/g)
    ?.slice(0, 3)
    .map(Number) ?? [0, 0, 0];
  const dark = levels.reduce((sum, level) => sum + level, 0) < 380;
  for (const [name, value] of dark ? palettes.dark : palettes.light) {
    found[name] = value;
    found[`bright${name.charAt(0).toUpperCase()}${name.slice(1)}` as "brightRed"] = value;
  }
  return found;
}

/** Opens a terminal's screen in a place. */
export function openScreen(place: HTMLElement, hands: Hands): Screen {
  const terminal = new Terminal({
    fontSize,
    fontFamily: 'ui-monospace, "DejaVu Sans Mono", "Cascadia Mono", Menlo, monospace',
    scrollback: remembered,
    cursorBlink: false,
    screenReaderMode: true,
    theme: theme(place),
  });
  const fitting = new FitAddon();
  terminal.loadAddon(fitting);
  terminal.open(place);
  terminal.onData(hands.ontype);
  terminal.onResize(({ cols, rows }) => hands.onresize(cols, rows));
  terminal.attachCustomKeyEventHandler((event) => {
    if (event.key === "F6") {
      if (event.type === "keydown") hands.onleave();
      event.preventDefault();
      return false;
    }
    if (event.ctrlKey && event.shiftKey && event.code === "KeyC") {
      if (event.type === "keydown" && terminal.hasSelection()) hands.oncopy(terminal.getSelection());
      event.preventDefault();
      return false;
    }
    // Left to the page: it pastes into the terminal's own field, which hears it.
    return !(event.ctrlKey && event.shiftKey && event.code === "KeyV");
  });
  const fit = () => {
    if (place.clientWidth > 0 && place.clientHeight > 0) fitting.fit();
  };
  fit();
  return {
    get cols() {
      return terminal.cols;
    },
    get rows() {
      return terminal.rows;
    },
    write: (bytes) => terminal.write(bytes),
    focus: () => terminal.focus(),
    fit,
    paint: () => (terminal.options.theme = theme(place)),
    close: () => terminal.dispose(),
  };
}
