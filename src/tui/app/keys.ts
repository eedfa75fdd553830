import { renderCell } from "../cells/render-cell.js";
import { type CommandContext, printError, printNotice } from "../commands/command.js";
import { copyAnswer } from "../commands/export.js";
import { plan } from "../commands/plan.js";
import { help } from "../commands/program.js";
import { pickRewind } from "../commands/rewind.js";
import { vim } from "../commands/vim.js";
import { readClipboardImage } from "../host/clipboard-image.js";
import { editOutside, editorCommand } from "../host/handoff.js";
import { isKey, mainKeys } from "../keys.js";
import type { View } from "../view.js";
import type { MainView } from "./main-view.js";

/** Time within which a key must be pressed again to confirm. */
const againMs = 2000;

/** Handles the program's keys while the composer has the focus. */
export class MainKeys {
  readonly #context: CommandContext;
  readonly #main: MainView;
  /** Action that pressing the same key again confirms, until the timeout. */
  #armed: "quit" | "back" | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(context: CommandContext, main: MainView) {
    this.#context = context;
    this.#main = main;
  }

  /** Handles a key; returns false if it belongs to the text. */
  handle(data: string): boolean {
    const { composer, session } = this.#context;
    const armed = this.#armed;
    this.#arm(undefined);
    if (isKey(mainKeys.clear, data)) this.#clear(armed === "quit");
    else if (isKey(mainKeys.interrupt, data)) this.#escape(armed === "back");
    else if (isKey(mainKeys.transcript, data)) this.#run(() => this.#showTranscript());
    else if (isKey(mainKeys.searchHistory, data)) this.#run(() => this.#searchHistory());
    else if (isKey(mainKeys.editor, data)) this.#run(() => this.#edit());
    else if (isKey(mainKeys.pasteImage, data)) this.#run(() => this.#pasteImage());
    else if (isKey(mainKeys.mode, data)) this.#run(async () => plan.run(this.#context, ""));
    else if (isKey(mainKeys.copy, data)) copyAnswer(this.#context);
    else if (isKey(mainKeys.vim, data)) this.#run(async () => vim.run(this.#context, ""));
    else if (isKey(mainKeys.redraw, data)) this.#context.ui.screen.redraw();
    else if (isKey(mainKeys.editQueued, data)) this.#editQueued();
    else if (isKey(mainKeys.quit, data) && composer.isEmpty) this.#context.quit();
    else if (isKey(mainKeys.help, data) && composer.isEmpty)
      this.#run(async () => help.run(this.#context, ""));
    else if (isKey(mainKeys.queue, data) && !session.isWorking) return composer.isEmpty;
    else return false;
    return true;
  }

  #clear(isAgain: boolean): void {
    const { composer, session, quit } = this.#context;
    if (!composer.isEmpty) composer.setText("");
    else if (session.isWorking) this.#run(() => session.interrupt());
    else if (isAgain) quit();
    else this.#arm("quit");
  }

  #escape(isAgain: boolean): void {
    const { composer, session } = this.#context;
    if (session.isWorking) this.#run(() => session.interrupt());
    else if (!composer.isEmpty) return;
    else if (isAgain) this.#run(() => pickRewind(this.#context));
    else this.#arm("back");
  }

  #arm(armed: "quit" | "back" | undefined): void {
    clearTimeout(this.#timer);
    this.#armed = armed;
    const hints = {
      quit: "press ctrl+c again to quit",
      back: "press esc again to return to an earlier message",
    };
    this.#main.hint = armed === undefined ? undefined : hints[armed];
    if (armed !== undefined) {
      this.#timer = setTimeout(() => {
        this.#arm(undefined);
        this.#context.ui.screen.requestRender();
      }, againMs);
      this.#timer.unref();
    }
  }

  #editQueued(): void {
    const { session, composer } = this.#context;
    const draft = session.conversation.pending.takeLast();
    if (draft !== undefined) composer.setText(draft.text);
  }

  async #showTranscript(): Promise<void> {
    const { ui, session } = this.#context;
    const { transcript } = session.conversation;
    const cells = [...transcript.finished, ...transcript.live()];
    const parts = cells.map((cell) => (view: View) => renderCell(cell, view));
    await ui.pages("Session", parts, "end");
  }

  async #searchHistory(): Promise<void> {
    const { ui, host, composer } = this.#context;
    const texts = [...new Set((await host.readHistory()).reverse())];
    const choices = texts.map((text) => ({ value: text, label: text.slice(0, 200) }));
    const text = await ui.pick({ title: "Search sent messages", choices, isSearched: true });
    if (text !== undefined) composer.setText(text);
  }

  async #edit(): Promise<void> {
    const { ui, host, composer } = this.#context;
    const command = editorCommand(host.env);
    if (command === undefined) {
      printError(
        this.#context,
        "No editor is set. Set VISUAL or EDITOR to the command of your editor",
      );
      return;
    }
    const text = await editOutside(ui.screen, composer.text, command);
    if (text !== undefined) composer.setText(text);
  }

  async #pasteImage(): Promise<void> {
    const url = await readClipboardImage();
    if (url === undefined) printNotice(this.#context, "There is no image in the clipboard");
    else this.#context.composer.attach({ type: "image", url });
  }

  #run(action: () => Promise<void>): void {
    action().catch((error: unknown) => printError(this.#context, "Failed", error));
  }
}
