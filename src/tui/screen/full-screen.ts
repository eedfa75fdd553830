import { type Component, CURSOR_MARKER } from "../pi.js";

/** Draws a component on the alternate screen of the terminal, which has no scrollback. */
export class FullScreen {
  readonly #component: Component;
  #lines: readonly string[] = [];
  #size = "";

  constructor(component: Component) {
    this.#component = component;
  }

  open(): string {
    this.#size = ""; // redraw everything
    return "\x1b[?1049h\x1b[?25l\x1b[2J";
  }

  close(): string {
    return "\x1b[?1049l\x1b[?25h";
  }

  /** Returns the output that updates the terminal to the current state of the component. */
  next(columns: number, rows: number): string {
    const lines = this.#component.render(columns).slice(0, rows);
    const size = `${columns}x${rows}`;
    const known = size === this.#size ? this.#lines : undefined;
    const changed = Array.from({ length: rows }, (_, row) => row).filter(
      (row) => known === undefined || known[row] !== lines[row],
    );
    this.#lines = lines;
    this.#size = size;
    return changed.map((row) => `\x1b[${row + 1};1H\x1b[2K${shown(lines[row])}`).join("");
  }
}

function shown(line = ""): string {
  return `${line.replaceAll(CURSOR_MARKER, "")}\x1b[0m`;
}
