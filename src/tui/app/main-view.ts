import { cellImages } from "../cells/images.js";
import { renderCell } from "../cells/render-cell.js";
import type { TerminalImages } from "../images/terminal-images.js";
import { liveCellLines, pendingLines, pulseMs, workingLines } from "../lines/activity.js";
import { agentLines } from "../lines/agents.js";
import { defaultStatusItems, type StatusItemName } from "../lines/status-items.js";
import { statusLines } from "../lines/status-line.js";
import type { Component } from "../pi.js";
import type { Cell } from "../state/cell.js";
import type { Conversation } from "../state/conversation.js";
import { createTheme } from "../theme/theme.js";
import type { Ui } from "../ui.js";

/** The live lines: running items, queued messages, the composer or a dialog, and the footer. */
export class MainView implements Component {
  /** Hint shown instead of the footer, such as "press ctrl+c again to quit". */
  hint: string | undefined;
  /** Items of the status line. */
  items: readonly StatusItemName[] = defaultStatusItems;
  /** The status line has colors (`tui.status_line_use_colors`). */
  isColored = true;
  /** How the terminal shows images. */
  images: Pick<TerminalImages, "protocol" | "cell"> = {
    protocol: undefined,
    cell: { width: 9, height: 18 },
  };
  /** Returns an image file as a data URL; undefined if it is on another machine. */
  readImage: (path: string) => string | undefined = () => undefined;
  /** Called before each frame. */
  onFrame: () => void = () => {};
  /** Mode of the vim keys, shown in the status line; undefined if they are off. */
  mode: () => string | undefined = () => undefined;
  readonly #ui: Ui;
  readonly #conversation: Conversation;
  #spinner: NodeJS.Timeout | undefined;

  constructor(ui: Ui, conversation: Conversation) {
    this.#ui = ui;
    this.#conversation = conversation;
    ui.screen.onFrame = (columns) => this.#print(columns);
  }

  render(width: number): string[] {
    const { transcript, status, pending } = this.#conversation;
    const view = this.#ui.view(width);
    const { rows } = this.#ui.screen.terminal;
    const above = [
      ...workingLines(status, transcript.heading(), view),
      ...agentLines(status.agents, view),
      ...pendingLines(pending, view),
    ];
    const { hint, items } = this;
    const footerView = this.isColored ? view : { ...view, theme: withoutColors };
    const footer = statusLines(status, { hint, items, mode: this.mode() }, footerView);
    const pane = this.#ui.pane.render(width, rows - above.length - footer.length);
    // A dialog needs its rows more than the running items.
    const least = this.#ui.pane.isCovered ? 0 : 3;
    const left = Math.max(least, rows - above.length - pane.length - footer.length);
    const room = Math.min(left, mostLive(width));
    return [...liveCellLines(transcript.live(), view, room), ...above, ...pane, ...footer];
  }

  invalidate(): void {}

  /** Requests a redraw, and pulses while a turn runs. */
  changed(): void {
    const { status } = this.#conversation;
    const isWorking = status.isWorking || status.agents.active.length > 0;
    if (isWorking && this.#spinner === undefined) {
      this.#spinner = setInterval(() => this.#ui.screen.requestRender(), pulseMs);
    } else if (!isWorking) {
      this.stop();
    }
    this.#ui.screen.requestRender();
  }

  stop(): void {
    clearInterval(this.#spinner);
    this.#spinner = undefined;
  }

  /** Prints finished cells above the live lines. */
  #print(columns: number): void {
    this.onFrame();
    const fresh = this.#conversation.transcript.takeFresh();
    if (fresh.length === 0) return;
    const view = this.#ui.view(columns);
    const { protocol, cell: cellSize } = this.images;
    const rows = Math.min(15, Math.floor(this.#ui.screen.terminal.rows / 2));
    const imagesOf = (cell: Cell) =>
      protocol === undefined
        ? []
        : cellImages(cell, { protocol, cell: cellSize, rows }, columns, this.readImage);
    this.#ui.screen.print(fresh.flatMap((cell) => [...renderCell(cell, view), ...imagesOf(cell)]));
  }
}

/**
 * Returns the most rows of running items.
 *
 * A terminal that is made smaller moves rows that do not fit any more into its scrollback, where they cannot
 * be redrawn. So many rows fit at 60 by 20 too, where each of them wraps.
 */
function mostLive(columns: number): number {
  return Math.max(4, Math.min(9, Math.floor(13 / Math.ceil(columns / 60))));
}

const withoutColors = createTheme("mono");
