import { Input, matchesKey } from "../pi.js";
import { hang, truncate } from "../text/layout.js";
import { sanitize } from "../text/sanitize.js";
import type { Theme } from "../theme/theme.js";
import type { PaneContent } from "./pane.js";

/** A question with options, a free-text answer, or both. */
export interface QuestionOfForm {
  header: string;
  question: string;
  options: readonly { label: string; description: string }[];
  /** Allows a typed answer besides the options. */
  hasOther: boolean;
  isSecret: boolean;
}

/** Answer to a question; undefined if it was skipped. */
export interface FormAnswer {
  chosen: string | undefined;
  note: string;
}

/** Dependencies of {@link Questionnaire}. */
export interface QuestionnaireParts {
  theme: Theme;
  /** Called with the answers, in the order of the questions. */
  done(answers: readonly FormAnswer[] | undefined): void;
}

const otherLabel = "Other answer";

/** State of one question. */
class Field {
  readonly question: QuestionOfForm;
  readonly text = new Input();
  readonly note = new Input();
  selected = 0;
  chosen: number | undefined;

  constructor(question: QuestionOfForm) {
    this.question = question;
  }

  get labels(): { label: string; description: string }[] {
    const { options, hasOther } = this.question;
    const other = { label: otherLabel, description: "type it" };
    return hasOther && options.length > 0 ? [...options, other] : [...options];
  }

  /** The answer is typed: there are no options, or "other" is chosen. */
  get isTyped(): boolean {
    const { options } = this.question;
    return options.length === 0 || this.chosen === options.length;
  }

  get answer(): FormAnswer {
    const typed = this.text.getValue().trim();
    const option = this.question.options[this.chosen ?? -1]?.label;
    const chosen = this.isTyped ? typed || undefined : option;
    return { chosen, note: this.note.getValue().trim() };
  }
}

/** A dialog that asks several questions; the user can go back and add notes. */
export class Questionnaire implements PaneContent {
  readonly #fields: readonly Field[];
  readonly #parts: QuestionnaireParts;
  #at = 0;
  /** The line that is being typed, instead of a choice. */
  #typing: "answer" | "note" | undefined;
  #focused = false;

  constructor(questions: readonly QuestionOfForm[], parts: QuestionnaireParts) {
    this.#fields = questions.map((question) => new Field(question));
    this.#parts = parts;
    this.#open(0);
  }

  get focused(): boolean {
    return this.#focused;
  }

  set focused(value: boolean) {
    this.#focused = value;
    this.#focusInput();
  }

  handleInput(data: string): void {
    if (matchesKey(data, "ctrl+c")) this.#parts.done(undefined);
    else if (this.#typing !== undefined) this.#type(data);
    else this.#choose(data);
    this.#focusInput();
  }

  render(width: number, height: number): string[] {
    const { theme } = this.#parts;
    const field = this.#field;
    const { header, question } = field.question;
    const count = this.#fields.length > 1 ? ` (${this.#at + 1}/${this.#fields.length})` : "";
    const head = [
      "",
      ...hang(theme.bold(sanitize(`${header || "Question from the agent"}${count}`)), width, "  "),
      ...hang(sanitize(question), width, "  "),
      "",
    ];
    const typed = this.#typedLines(width);
    const hint = ["", ...hang(theme.dim(this.#hint()), width, "  ")];
    const room = Math.max(field.labels.length, height - head.length - typed.length - hint.length);
    const shown = height < head.length + typed.length + hint.length + field.labels.length;
    const first = shown ? head.filter((line) => line !== "") : head;
    return [...first, ...this.#optionLines(width, room), ...typed, ...hint];
  }

  get #field(): Field {
    return this.#fields[this.#at] as Field;
  }

  #optionLines(width: number, room: number): string[] {
    const { theme } = this.#parts;
    const field = this.#field;
    const rows = field.labels.map(({ label, description }, index) => {
      const isSelected = index === field.selected && this.#typing === undefined;
      const mark = index === field.chosen ? "✔" : " ";
      const main = `${isSelected ? "›" : " "} ${index + 1}. ${sanitize(label)} ${mark}`;
      const text = `${isSelected ? theme.selected(main) : main} ${theme.dim(sanitize(description))}`;
      return hang(text, width, "  ", "       ");
    });
    if (rows.flat().length <= room) return rows.flat();
    return rows.map(([first = "", ...more]) => (more.length > 0 ? `${first}…` : first));
  }

  #typedLines(width: number): string[] {
    const { theme } = this.#parts;
    const field = this.#field;
    const line = (name: string, input: Input, isSecret = false) => {
      const label = `${name}: `;
      const room = Math.max(4, width - 4 - label.length);
      const value = isSecret ? "•".repeat(Math.min(room, input.getValue().length)) : undefined;
      const [text = ""] = input.render(room);
      return `    ${theme.dim(label)}${value ?? text.replace(/^> /, "")}`;
    };
    const answer = this.#typing === "answer" || (field.isTyped && field.text.getValue() !== "");
    const note = this.#typing === "note" || field.note.getValue() !== "";
    const lines = [
      ...(answer ? [line("answer", field.text, field.question.isSecret)] : []),
      ...(note ? [line("note", field.note)] : []),
    ];
    return lines.map((each) => truncate(each, width));
  }

  #hint(): string {
    const last = this.#at === this.#fields.length - 1;
    const next = last ? "enter submit" : "enter next";
    if (this.#typing !== undefined) return `${next} · esc back to the choices`;
    const back = this.#at > 0 ? " · ← back" : "";
    return `↑↓ move · ${next}${back} · tab add a note · esc skip the rest`;
  }

  #choose(data: string): void {
    const field = this.#field;
    const count = field.labels.length;
    if (matchesKey(data, "escape")) this.#finish();
    else if (matchesKey(data, "up") || data === "k") {
      field.selected = (field.selected + count - 1) % count;
    } else if (matchesKey(data, "down") || data === "j") {
      field.selected = (field.selected + 1) % count;
    } else if (matchesKey(data, "left")) this.#open(this.#at - 1);
    else if (matchesKey(data, "right") && field.chosen !== undefined) this.#open(this.#at + 1);
    else if (matchesKey(data, "tab")) this.#typing = "note";
    else if (matchesKey(data, "enter")) this.#take(field.selected);
    else if (/^[1-9]$/.test(data) && Number(data) <= count) this.#take(Number(data) - 1);
  }

  #take(index: number): void {
    const field = this.#field;
    field.selected = index;
    field.chosen = index;
    if (index === field.question.options.length) this.#typing = "answer";
    else this.#next();
  }

  #type(data: string): void {
    const field = this.#field;
    if (matchesKey(data, "escape")) this.#leaveText();
    else if (matchesKey(data, "enter")) {
      const wasNote = this.#typing === "note";
      this.#typing = undefined;
      // A note alone is no answer: the selected option is the answer.
      if (wasNote && field.chosen === undefined && field.labels.length > 0) {
        this.#take(field.selected);
      } else this.#next();
    } else if (matchesKey(data, "tab")) {
      this.#typing = this.#typing === "note" && field.isTyped ? "answer" : "note";
    } else (this.#typing === "note" ? field.note : field.text).handleInput(data);
  }

  /** Leaves a line of text: to the choices, or to the question before if there are none. */
  #leaveText(): void {
    if (this.#field.labels.length > 0) this.#typing = undefined;
    else if (this.#at > 0) this.#open(this.#at - 1);
    else this.#finish();
  }

  #next(): void {
    if (this.#at === this.#fields.length - 1) this.#finish();
    else this.#open(this.#at + 1);
  }

  #open(at: number): void {
    if (at < 0 || at >= this.#fields.length) return;
    this.#at = at;
    this.#typing = this.#field.question.options.length === 0 ? "answer" : undefined;
  }

  #finish(): void {
    this.#parts.done(this.#fields.map(({ answer }) => answer));
  }

  #focusInput(): void {
    for (const { text, note } of this.#fields) {
      text.focused = false;
      note.focused = false;
    }
    const input = this.#typing === "note" ? this.#field.note : this.#field.text;
    input.focused = this.#focused && this.#typing !== undefined;
  }
}
