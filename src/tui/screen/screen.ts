import type { Clock } from "../../lib/clock.js";
import { type Component, CURSOR_MARKER, type Terminal, TUI } from "../pi.js";
import { closeHyperlink, cutUnbroken, withoutHyperlinks } from "../text/hyperlink.js";
import { truncate, widthOf } from "../text/layout.js";
import { FullScreen } from "./full-screen.js";
import { type CursorPlace, LiveRegion } from "./live-region.js";

/** The shortest time between two frames: sixty in a second. */
const frameMs = 16;

/** Sequences that switch modes of the terminal on and off. */
export interface TerminalModes {
  on: string;
  off: string;
}

/** Options for {@link Screen}. */
export interface ScreenOptions {
  /** Switched on while the screen has the terminal. */
  modes?: TerminalModes;
  /** The terminal understands hyperlinks, or ignores them. */
  hasLinks?: boolean;
}

/** What a screen counts, for measurements. */
export interface FrameCounts {
  frames: number;
  bytes: number;
}

/**
 * pi-tui's screen with another way to draw: finished lines go to the scrollback and are forgotten,
 * so that a frame costs what is on the screen, however long the session is.
 */
export class Screen extends TUI {
  readonly counts: FrameCounts = { frames: 0, bytes: 0 };
  /** Called before a frame is drawn: the time to say what is finished and what is live. */
  onFrame: (columns: number, rows: number) => void = () => {};
  readonly #clock: Clock;
  readonly #region = new LiveRegion();
  #finished: string[] = [];
  #full: FullScreen | undefined;
  #timer: NodeJS.Timeout | undefined;
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

  /** Prints lines above the live ones, for good. */
  print(lines: readonly string[]): void {
    for (const line of lines) this.#finished.push(withReset(line));
    this.requestRender();
  }

  /** Shows one component on the whole of the terminal until `closeFull`. */
  openFull(component: Component): void {
    this.#full = new FullScreen(component);
    this.terminal.write(this.#full.open());
    this.setFocus(component);
  }

  /** Goes back to the lines, as they were. */
  closeFull(focus: Component): void {
    if (this.#full !== undefined) this.terminal.write(this.#full.close());
    this.#full = undefined;
    this.setFocus(focus);
  }

  override requestRender(): void {
    if (!this.#running || this.#timer !== undefined) return;
    // The first change after a pause is shown at once; those that follow share a frame.
    const wait = Math.max(0, this.#lastFrame + frameMs - this.#clock.now());
    this.#timer = setTimeout(() => this.#draw(), wait);
  }

  /** Draws at once, for there will be no time soon. */
  drawNow(): void {
    if (this.#running) this.#draw();
  }

  /** Draws the live lines anew, when something else has written over them. */
  redraw(): void {
    this.terminal.write(this.#region.erase());
    this.requestRender();
  }

  /** Hands the terminal to another program; `start` takes it back. */
  pause(): void {
    this.#running = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const closed = this.#full?.close() ?? "";
    this.terminal.write(`${this.#modes.off}${closed}${this.#region.erase()}`);
    this.terminal.stop();
  }

  /** Prints what is finished and `last`, removes the live lines, and gives the terminal back. */
  override stop(last: readonly string[] = []): void {
    if (!this.#running) return;
    if (this.#full !== undefined) this.terminal.write(this.#full.close());
    this.#full = undefined;
    this.#draw();
    this.#running = false;
    clearTimeout(this.#timer);
    const lines = last.map((line) => `${withReset(line)}\r\n`).join("");
    this.terminal.write(`${this.#modes.off}${this.#region.erase()}${lines}`);
    this.terminal.stop();
  }

  #draw(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
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
    // Here each line must be one row; what is finished is wrapped by the terminal.
    const rendered = this.render(columns).flatMap((line) => cutUnbroken(line, columns));
    const { lines, cursor } = takeCursor(rendered);
    const finished = this.#finished;
    this.#finished = [];
    const live = lines.map((line) => withReset(truncate(line, columns)));
    return this.#region.next({ finished, live, cursor, columns, rows });
  }
}

/** Finds the mark that a component puts where the cursor belongs, and takes it out. */
function takeCursor(lines: readonly string[]): {
  lines: readonly string[];
  cursor: CursorPlace | undefined;
} {
  const row = lines.findLastIndex((line) => line.includes(CURSOR_MARKER));
  if (row === -1) return { lines, cursor: undefined };
  const [before = "", after = ""] = (lines[row] ?? "").split(CURSOR_MARKER);
  // The components draw a cursor of their own as well, by inverting what stands there.
  const rest = after.replace(/^\x1b\[7m([^\x1b]*)\x1b\[(?:0|27)m/, "$1").trimEnd();
  const shown = [...lines.slice(0, row), `${before}${rest}`, ...lines.slice(row + 1)];
  return { lines: shown, cursor: { row, column: widthOf(before) } };
}

/** Ends every style at the end of the line, and drops spaces nobody sees, which would wrap. */
function withReset(line: string): string {
  return line.includes("\x1b") ? closeHyperlink(`${line}\x1b[0m`) : line;
}
