import { renderCell } from "../cells/render-cell.js";
import { liveCellLines, pendingLines, spinnerMs, workingLines } from "../lines/activity.js";
import { agentLines } from "../lines/agents.js";
import { footerLines } from "../lines/footer.js";
import type { Component } from "../pi.js";
import type { Conversation } from "../state/conversation.js";
import type { Ui } from "../ui.js";

/** The live lines: running items, queued messages, the composer or a dialog, and the footer. */
export class MainView implements Component {
  /** Hint shown instead of the footer, such as "press ctrl+c again to quit". */
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
    const { transcript, status, pending } = this.#conversation;
    const view = this.#ui.view(width);
    const { rows } = this.#ui.screen.terminal;
    const above = [
      ...workingLines(status, transcript.heading(), view),
      ...agentLines(status.agents, view),
      ...pendingLines(pending, view),
    ];
    const footer = footerLines(status, this.hint, view);
    const pane = this.#ui.pane.render(width, rows - above.length - footer.length);
    // A dialog needs its rows more than the running items.
    const least = this.#ui.pane.isCovered ? 0 : 3;
    const room = Math.max(least, rows - above.length - pane.length - footer.length);
    return [...liveCellLines(transcript.live(), view, room), ...above, ...pane, ...footer];
  }

  invalidate(): void {}

  /** Requests a redraw, and animates the spinner while a turn runs. */
  changed(): void {
    const { status } = this.#conversation;
    const isWorking = status.isWorking || status.agents.active.length > 0;
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

  /** Prints finished cells above the live lines. */
  #print(columns: number): void {
    const fresh = this.#conversation.transcript.takeFresh();
    if (fresh.length === 0) return;
    const view = this.#ui.view(columns);
    this.#ui.screen.print(fresh.flatMap((cell) => renderCell(cell, view)));
  }
}
