import { approvalKeys, isKey, type KeyBinding, keyNames } from "../keys.js";
import { matchesKey } from "../pi.js";
import { hang, truncate } from "../text/layout.js";
import { counted } from "../text/numbers.js";
import { reveal, sanitize } from "../text/sanitize.js";
import type { View } from "../view.js";
import type { PaneContent } from "./pane.js";

/** Possible answers; each approval offers some of them. */
export type ApprovalAnswer = Exclude<keyof typeof approvalKeys, "view">;

/** Options for {@link Approval}. */
export interface ApprovalOptions {
  title: string;
  /** Justification given by the requester. */
  reason?: string | undefined;
  /** The whole command or diff. */
  body(view: View): string[];
  /** Lines shown after the body even if it is folded, such as the working directory. */
  note?(view: View): string[];
  answers: readonly { answer: ApprovalAnswer; label?: string }[];
}

/** Dependencies of {@link Approval}. */
interface ApprovalParts {
  view(width: number): View;
  done(answer: ApprovalAnswer): void;
  /** Shows the body on the full screen. */
  showAll(): void;
  now(): number;
  /** The user was typing when the dialog opened: ignore keys until there is a pause. */
  wasTyping: boolean;
}

/** Length of that pause. */
const pauseMs = 700;

/** The approval dialog. The title and all choices always fit the screen; a long body is folded. */
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
    const { title, reason, note, answers } = this.#options;
    const blocks = {
      title: hang(theme.bold(theme.warning(reveal(title))), width, "  "),
      reason: reason ? hang(theme.dim(sanitize(reason)), width, "  ") : [],
      body: this.#options.body({ ...view, isFull: true }),
      note: note?.(view) ?? [],
      choices: answers.map(({ answer, label }, index) =>
        this.#choice(approvalKeys[answer], label, index === this.#selected, view),
      ),
    };
    const folded = (hidden: number) =>
      theme.warning(truncate(`    … ${counted(hidden, "more line")} (v to view all)`, width));
    return fitApproval(blocks, height, folded);
  }

  #choice(
    binding: KeyBinding,
    label: string | undefined,
    isChosen: boolean,
    { theme, width }: View,
  ): ApprovalChoice {
    const [first = ""] = keyNames(binding).split(", ");
    const key = ` (${first.toLowerCase()})`;
    const text = label === undefined ? binding.help : reveal(label);
    const mark = isChosen ? theme.accent("› ") : "  ";
    const style = isChosen ? theme.selected : (plain: string) => plain;
    // Never cut off the key, however long the label is.
    const cut = (room: number) => style(`${truncate(text, Math.max(1, room - key.length))}${key}`);
    return {
      lines: hang(cut(2 * (width - 2) - 8), width, mark),
      short: `${mark}${cut(width - 2)}`,
    };
  }

  /** Returns whether the key belongs to the text that the user was typing. */
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

/** Renders the full-screen page of an approval, nothing folded or cut. */
export function approvalPage({ reason, body, note, answers }: ApprovalOptions, view: View) {
  const { theme, width } = view;
  const labels = answers.flatMap(({ label }) => label ?? []);
  return [
    ...(reason ? [...hang(theme.dim(sanitize(reason)), width, "  "), ""] : []),
    ...body(view),
    ...(note?.(view) ?? []),
    "",
    ...labels.flatMap((label) => hang(theme.dim(reveal(label)), width, "  ")),
  ];
}

/** The label of a choice: wrapped, and cut to one row. */
interface ApprovalChoice {
  lines: readonly string[];
  short: string;
}

/** The parts of an approval, wrapped to the width of the screen. */
interface ApprovalBlocks {
  title: readonly string[];
  reason: readonly string[];
  /** The command or the diff. */
  body: readonly string[];
  /** Shown after the body even if it is folded. */
  note: readonly string[];
  choices: readonly ApprovalChoice[];
}

/**
 * Fits an approval into `height` rows.
 *
 * The title and every choice are always shown: the body is folded first, then the reason, then
 * labels of several rows, then the blank lines. `folded` returns the line that replaces hidden
 * ones.
 */
function fitApproval(
  { title, reason, body, note, choices }: ApprovalBlocks,
  height: number,
  folded: (hidden: number) => string,
): string[] {
  const blanks = 3;
  const leastBody = Math.min(body.length, 3) + note.length;
  const spare = (labels: readonly string[], gaps: number) =>
    height - title.length - labels.length - gaps;
  const whole = choices.flatMap(({ lines }) => lines);
  const labels = spare(whole, blanks) >= leastBody ? whole : choices.map(({ short }) => short);
  const hasBlanks = spare(labels, blanks) >= leastBody;
  const gap = hasBlanks ? [""] : [];
  const room = spare(labels, hasBlanks ? blanks : 0);
  const why = fold(reason, Math.max(0, room - leastBody), folded);
  const what = fold(body, Math.max(0, room - why.length - note.length), folded);
  return [...gap, ...title, ...why, ...gap, ...what, ...note, ...gap, ...labels];
}

function fold(
  lines: readonly string[],
  room: number,
  folded: (hidden: number) => string,
): readonly string[] {
  if (lines.length <= room) return lines;
  if (room === 0) return [];
  return [...lines.slice(0, room - 1), folded(lines.length - room + 1)];
}
