import { Input, matchesKey } from "../pi.js";
import { hang, truncate } from "../text/layout.js";
import { sanitize } from "../text/sanitize.js";
import type { Theme } from "../theme/theme.js";
import type { PaneContent } from "./pane.js";

/** Options for {@link Question}. */
export interface QuestionOptions {
  title: string;
  text?: string;
  initial?: string;
  /** Mask the input. */
  isSecret?: boolean;
  /** Validates the answer; a returned message is shown and the dialog stays open. */
  check?(text: string): string | undefined;
}

/** A dialog that asks for one line of text. */
export class Question implements PaneContent {
  readonly #options: QuestionOptions;
  readonly #theme: Theme;
  readonly #input = new Input();
  #problem: string | undefined;

  constructor(options: QuestionOptions, theme: Theme, done: (text: string | undefined) => void) {
    this.#options = options;
    this.#theme = theme;
    this.#input.setValue(options.initial ?? "");
    if (options.initial) this.#input.handleInput("\x05"); // move the cursor to the end
    this.#input.onSubmit = (text) => {
      this.#problem = options.check?.(text);
      if (this.#problem === undefined) done(text);
    };
    this.#input.onEscape = () => done(undefined);
  }

  get focused(): boolean {
    return this.#input.focused;
  }

  set focused(value: boolean) {
    this.#input.focused = value;
  }

  handleInput(data: string): void {
    this.#problem = undefined;
    if (matchesKey(data, "ctrl+c")) this.#input.onEscape?.();
    else this.#input.handleInput(data);
  }

  render(width: number): string[] {
    const { title, text, isSecret } = this.#options;
    const theme = this.#theme;
    return [
      "",
      ...hang(theme.bold(sanitize(title)), width, "  "),
      ...(text === undefined ? [] : hang(theme.dim(sanitize(text)), width, "  ")),
      "",
      ...this.#inputLines(width, isSecret === true),
      ...(this.#problem === undefined ? [] : hang(theme.warning(this.#problem), width, "  ")),
      "",
      theme.dim(`  ${truncate("enter submit · esc cancel", width - 2)}`),
    ];
  }

  #inputLines(width: number, isSecret: boolean): string[] {
    if (!isSecret) return this.#input.render(width - 2).map((line) => `  ${line}`);
    const { length } = this.#input.getValue();
    return [`  > ${"•".repeat(Math.min(length, Math.max(0, width - 5)))}`];
  }
}
