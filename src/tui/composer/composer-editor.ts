import { Editor } from "../pi.js";

/** A position in the text. */
export interface Position {
  line: number;
  col: number;
}

/** State of pi-tui's editor: it has no public way to move the cursor or to redo. */
interface EditorState {
  lines: string[];
  cursorLine: number;
  cursorCol: number;
}

interface Internals {
  state: EditorState;
  undoStack: { length: number; push(state: EditorState): void };
  undo(): void;
  submitValue(): void;
  pastes: ReadonlyMap<number, string>;
  setCursorCol(col: number): void;
}

/** pi-tui's editor with redo, and with a text and cursor that vim keys can set. */
export class ComposerEditor extends Editor {
  #undone: EditorState[] = [];
  /** The text after the last undo or redo; another text ends the redo. */
  #seen = "";

  get position(): Position {
    const { line, col } = this.getCursor();
    return { line, col };
  }

  moveTo({ line, col }: Position): void {
    const { state } = this.#internals;
    state.cursorLine = Math.max(0, Math.min(line, state.lines.length - 1));
    const length = (state.lines[state.cursorLine] ?? "").length;
    this.#internals.setCursorCol(Math.max(0, Math.min(col, length)));
  }

  /** Replaces the whole text, as one step of undo. */
  replace(lines: readonly string[], cursor: Position): void {
    const { state, undoStack } = this.#internals;
    undoStack.push(state);
    state.lines = lines.length === 0 ? [""] : [...lines];
    this.moveTo(cursor);
  }

  /** Inserts the pasted text that the placeholder at the cursor stands for; false if there is none. */
  openPaste(): boolean {
    const { line, col } = this.position;
    const text = this.getLines()[line] ?? "";
    for (const found of text.matchAll(/\[paste #(\d+)(?: (?:\+\d+ lines|\d+ chars))?\]/g)) {
      const pasted = this.#internals.pastes.get(Number(found[1]));
      const end = found.index + found[0].length;
      if (pasted === undefined || col < found.index || col > end) continue;
      this.#splice(line, found.index, end, pasted);
      return true;
    }
    return false;
  }

  /** Removes text before the cursor if it is there. */
  removeBefore(text: string): boolean {
    const { line, col } = this.position;
    if (!(this.getLines()[line] ?? "").slice(0, col).endsWith(text)) return false;
    this.#splice(line, col - text.length, col, "");
    return true;
  }

  #splice(line: number, from: number, until: number, put: string): void {
    const lines = this.getLines();
    const own = lines[line] ?? "";
    const fresh = `${own.slice(0, from)}${put}`.split("\n");
    const cursor = { line: line + fresh.length - 1, col: (fresh.at(-1) ?? "").length };
    fresh[fresh.length - 1] += own.slice(until);
    this.replace([...lines.slice(0, line), ...fresh, ...lines.slice(line + 1)], cursor);
  }

  /** Submits the text, whatever key is bound to it. */
  submit(): void {
    this.#internals.submitValue();
  }

  undoStep(): void {
    const { state, undoStack } = this.#internals;
    if (undoStack.length === 0) return;
    if (this.getText() !== this.#seen) this.#undone = [];
    this.#undone.push(structuredClone(state));
    this.#internals.undo();
    this.#seen = this.getText();
  }

  redoStep(): void {
    const { state, undoStack } = this.#internals;
    if (this.getText() !== this.#seen) this.#undone = [];
    const next = this.#undone.pop();
    if (next === undefined) return;
    undoStack.push(state);
    Object.assign(state, next);
    this.#seen = this.getText();
  }

  get #internals(): Internals {
    return this as unknown as Internals;
  }
}
