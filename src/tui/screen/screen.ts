import type { Clock } from "../../lib/clock.js";
import { type Component, CURSOR_MARKER, type Terminal, TUI } from "../pi.js";
import { closeHyperlink, cutUnbroken, withoutHyperlinks } from "../text/hyperlink.js";
import { truncate, widthOf } from "../text/layout.js";
import { FullScreen } from "./full-screen.js";
import { type CursorPosition, LiveRegion } from "./live-region.js";

/** Minimum time between two frames: 60 per second. */
const frameMs = 16;

/** Sequences that switch modes of the terminal on and off. */
export interface TerminalModes {
  on: string;
  off: string;
}

/** Options for {@link Screen}. */
export interface ScreenOptions {
  /** Enabled while the screen owns the terminal. */
  modes?: TerminalModes;
  /** Emit hyperlinks (OSC 8); false for terminals that would print them. */
  hasLinks?: boolean;
}

/** Counters for benchmarks. */
export interface FrameCounts {
  frames: number;
  bytes: number;
}

/**
 * pi-tui's screen with a different renderer: finished lines are printed to the scrollback and
 * forgotten, so the cost of a frame does not depend on the length of the session.
 */
export class Screen extends TUI {
  readonly counts: FrameCounts = { frames: 0, bytes: 0 };
  /** Called before a frame is drawn, to print finished lines and update the live ones. */
  onFrame: (columns: number, rows: number) => void = () => {};
  readonly #clock: Clock;
  readonly #region = new LiveRegion();
  #finished: string[] = [];
  #full: FullScreen | undefined;
  /** Cancels the frame that is due; undefined if there is none. */
  #cancelFrame: (() => void) | undefined;
  #lastFrame = Number.NEGATIVE_INFINITY;
  #running = false;
  readonly #modes: TerminalModes;
  readonly #hasLinks: boolean;

  constructor(terminal: Terminal, clock: Clock, { modes, hasLinks }: ScreenOptions = {}) {
    super(terminal, true);
    this.#clock = clock;
    this.#modes = modes ?? { on: "", off: "" };
    this.#hasLinks = hasLinks ?? true;
  }

  override start(): void {
    this.#running = true;
    super.start();
    this.terminal.write(`${this.#modes.on}${this.#full?.open() ?? ""}`);
  }

  /** Prints lines above the live ones; they cannot change any more. */
  print(lines: readonly string[]): void {
    for (const line of lines) this.#finished.push(withReset(line));
    this.requestRender();
  }

  /** Shows a component on the full screen until `closeFull`. */
  openFull(component: Component): void {
    this.#full = new FullScreen(component);
    this.terminal.write(this.#full.open());
    this.setFocus(component);
  }

  /** Returns to the live lines. */
  closeFull(focus: Component): void {
    if (this.#full !== undefined) this.terminal.write(this.#full.close());
    this.#full = undefined;
    this.setFocus(focus);
  }

  override requestRender(): void {
    if (!this.#running || this.#cancelFrame !== undefined) return;
    // Draw the first change after a pause at once; the following ones share a frame.
    const wait = this.#lastFrame + frameMs - this.#clock.now();
    if (wait <= 0) {
      // A timer would wait for a millisecond.
      const now = setImmediate(() => this.#draw());
      this.#cancelFrame = () => clearImmediate(now);
    } else {
      const timer = setTimeout(() => this.#draw(), wait);
      this.#cancelFrame = () => clearTimeout(timer);
    }
  }

  /** Draws synchronously, before work that blocks the event loop. */
  drawNow(): void {
    if (this.#running) this.#draw();
  }

  /** Redraws the live lines after something else has written over them. */
  redraw(): void {
    this.terminal.write(this.#region.erase());
    this.requestRender();
  }

  /** Releases the terminal for another program; `start` takes it back. */
  pause(): void {
    this.#running = false;
    this.#cancelFrame?.();
    this.#cancelFrame = undefined;
    const closed = this.#full?.close() ?? "";
    this.terminal.write(`${this.#modes.off}${closed}${this.#region.erase()}`);
    this.terminal.stop();
  }

  /** Prints pending lines and `last`, erases the live lines, and releases the terminal. */
  override stop(last: readonly string[] = []): void {
    if (!this.#running) return;
    if (this.#full !== undefined) this.terminal.write(this.#full.close());
    this.#full = undefined;
    this.#draw();
    this.#running = false;
    this.#cancelFrame?.();
    const lines = last.map((line) => `${withReset(line)}\r\n`).join("");
    this.terminal.write(`${this.#modes.off}${this.#region.erase()}${lines}`);
    this.terminal.stop();
  }

  #draw(): void {
    this.#cancelFrame?.();
    this.#cancelFrame = undefined;
    this.#lastFrame = this.#clock.now();
    const { columns, rows } = this.terminal;
    this.onFrame(columns, rows);
    const text =
      this.#full === undefined ? this.#drawLines(columns, rows) : this.#full.next(columns, rows);
    if (text === "") return;
    this.counts.frames += 1;
    this.counts.bytes += text.length;
    this.terminal.write(this.#hasLinks ? text : withoutHyperlinks(text));
  }

  #drawLines(columns: number, rows: number): string {
    // A live line must be one row; finished lines are wrapped by the terminal.
    const rendered = this.render(columns).flatMap((line) => cutUnbroken(line, columns));
    const now = this.terminal;
    // The terminal was resized meanwhile: a frame of the old width would be drawn over the wrong rows.
    if (now.columns !== columns) {
      this.onFrame(now.columns, now.rows);
      return this.#drawLines(now.columns, now.rows);
    }
    const { lines, cursor } = takeCursor(rendered);
    const finished = this.#finished;
    this.#finished = [];
    const live = lines.map((line) => withReset(truncate(line, columns)));
    return this.#region.next({ finished, live, cursor, columns, rows });
  }
}

/** Removes the marker that a component puts at the cursor; returns its position. */
function takeCursor(lines: readonly string[]): {
  lines: readonly string[];
  cursor: CursorPosition | undefined;
} {
  const row = lines.findLastIndex((line) => line.includes(CURSOR_MARKER));
  if (row === -1) return { lines, cursor: undefined };
  const [before = "", after = ""] = (lines[row] ?? "").split(CURSOR_MARKER);
  // Components also draw a cursor, by inverting the character there.
  const rest = after.replace(/^\x1b\[7m([^\x1b]*)\x1b\[(?:0|27)m/, "$1").trimEnd();
  const shown = [...lines.slice(0, row), `${before}${rest}`, ...lines.slice(row + 1)];
  return { lines: shown, cursor: { row, column: widthOf(before) } };
}

/** Resets all styles at the end of the line. */
function withReset(line: string): string {
  return line.includes("\x1b") ? closeHyperlink(`${line}\x1b[0m`) : line;
}
