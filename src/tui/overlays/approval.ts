import { approvalKeys, isKey, type KeyBinding, keyNames } from "../keys.js";
import { matchesKey } from "../pi.js";
import { hang, truncate } from "../text/layout.js";
import { reveal, sanitize } from "../text/sanitize.js";
import type { View } from "../view.js";
import type { PaneContent } from "./pane.js";

/** What the user may answer; which of these there are depends on the question. */
export type ApprovalAnswer = Exclude<keyof typeof approvalKeys, "view">;

/** A question whether something may be done. */
export interface ApprovalOptions {
  title: string;
  /** Why it is asked, in the words of whoever asks. */
  reason?: string | undefined;
  /** What it is about, whole: a command, a diff. */
  body(view: View): string[];
  answers: readonly { answer: ApprovalAnswer; label?: string }[];
}

/** What an approval needs from around it. */
export interface ApprovalParts {
  view(width: number): View;
  done(answer: ApprovalAnswer): void;
  /** Shows the body on the whole screen. */
  showAll(): void;
  now(): number;
  /** The user was typing when it came up: keys count only after a pause. */
  wasTyping: boolean;
}

/** How long the keys must rest. */
const pauseMs = 700;

/** Asks whether something may be done, showing all of what it is. */
export class Approval implements PaneContent {
  focused = false;
  readonly #options: ApprovalOptions;
  readonly #parts: ApprovalParts;
  #selected = 0;
  #lastKey: number;

  constructor(options: ApprovalOptions, parts: ApprovalParts) {
    this.#options = options;
    this.#parts = parts;
    this.#lastKey = parts.wasTyping ? parts.now() : Number.NEGATIVE_INFINITY;
  }

  handleInput(data: string): void {
    if (this.#isMeantForText()) return;
    const { answers } = this.#options;
    if (matchesKey(data, "up"))
      this.#selected = (this.#selected + answers.length - 1) % answers.length;
    else if (matchesKey(data, "down")) this.#selected = (this.#selected + 1) % answers.length;
    else if (matchesKey(data, "enter")) this.#answer(answers[this.#selected]?.answer);
    else if (isKey(approvalKeys.view, data)) this.#parts.showAll();
    else this.#answer(answers.find(({ answer }) => isKey(approvalKeys[answer], data))?.answer);
  }

  render(width: number, height: number): string[] {
    const view = this.#parts.view(width);
    const { theme } = view;
    const { title, reason, answers } = this.#options;
    const head = ["", ...hang(theme.bold(theme.warning(reveal(title))), width, "  ")];
    if (reason) head.push(...hang(theme.dim(sanitize(reason)), width, "  "));
    const choices = answers.flatMap(({ answer, label }, index) =>
      this.#choiceLines(approvalKeys[answer], label, index === this.#selected, view),
    );
    const room = Math.max(3, height - head.length - choices.length - 6);
    const body = this.#options.body({ ...view, isFull: true });
    const shown = body.length > room ? body.slice(0, room - 1) : body;
    const hidden = body.length - shown.length;
    const more =
      hidden > 0
        ? [theme.warning(truncate(`    … ${hidden} more lines: v shows all of it`, width))]
        : [];
    return [...head, "", ...shown, ...more, "", ...choices];
  }

  #choiceLines(binding: KeyBinding, label: string | undefined, isChosen: boolean, view: View) {
    const { theme, width } = view;
    const key = keyNames({ ...binding, keys: binding.keys.slice(0, 1) });
    const text = `${label === undefined ? binding.help : reveal(label)} (${key.toLowerCase()})`;
    return hang(
      isChosen ? theme.selected(text) : text,
      width,
      isChosen ? theme.accent("› ") : "  ",
    );
  }

  /** A word that was being typed must not become an answer. */
  #isMeantForText(): boolean {
    const now = this.#parts.now();
    const isMeant = now - this.#lastKey < pauseMs;
    if (isMeant) this.#lastKey = now;
    return isMeant;
  }

  #answer(answer: ApprovalAnswer | undefined): void {
    if (answer !== undefined) this.#parts.done(answer);
  }
}
