import { renderCell } from "../cells/render-cell.js";
import { liveCellLines, spinnerMs, waitingLines, workingLines } from "../lines/activity.js";
import { footerLines } from "../lines/footer.js";
import type { Component } from "../pi.js";
import type { Conversation } from "../state/conversation.js";
import type { Ui } from "../ui.js";

/** The lines that may still change: what runs, what waits, where the user types, and the footer. */
export class MainView implements Component {
  /** A word in place of the footer, such as what a second key would do. */
  hint: string | undefined;
  readonly #ui: Ui;
  readonly #conversation: Conversation;
  #spinner: NodeJS.Timeout | undefined;

  constructor(ui: Ui, conversation: Conversation) {
    this.#ui = ui;
    this.#conversation = conversation;
    ui.screen.onFrame = (columns) => this.#print(columns);
  }

  render(width: number): string[] {
    const { transcript, status, waiting } = this.#conversation;
    const view = this.#ui.view(width);
    const { rows } = this.#ui.screen.terminal;
    const above = [
      ...workingLines(status, transcript.heading(), view),
      ...waitingLines(waiting, view),
    ];
    const footer = footerLines(status, this.hint, view);
    const pane = this.#ui.pane.render(width, rows - above.length - footer.length);
    // A question needs its rows more than what runs beside it.
    const least = this.#ui.pane.isCovered ? 0 : 3;
    const room = Math.max(least, rows - above.length - pane.length - footer.length);
    return [...liveCellLines(transcript.live(), view, room), ...above, ...pane, ...footer];
  }

  invalidate(): void {}

  /** Something changed: draws it, and turns the spinner as long as there is one. */
  changed(): void {
    const { isWorking } = this.#conversation.status;
    if (isWorking && this.#spinner === undefined) {
      this.#spinner = setInterval(() => this.#ui.screen.requestRender(), spinnerMs);
    } else if (!isWorking) {
      this.stop();
    }
    this.#ui.screen.requestRender();
  }

  stop(): void {
    clearInterval(this.#spinner);
    this.#spinner = undefined;
  }

  /** What is finished goes above, for good. */
  #print(columns: number): void {
    const fresh = this.#conversation.transcript.takeFresh();
    if (fresh.length === 0) return;
    const view = this.#ui.view(columns);
    this.#ui.screen.print(fresh.flatMap((cell) => renderCell(cell, view)));
  }
}
