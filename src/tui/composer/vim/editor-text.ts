import type { ComposerEditor } from "../composer-editor.js";
import { lineEnd, lineStart } from "./motions.js";

/** The text of the editor as one string, with the cursor as an offset in it. */
export class EditorText {
  readonly #editor: ComposerEditor;

  constructor(editor: ComposerEditor) {
    this.#editor = editor;
  }

  get text(): string {
    return this.#editor.getLines().join("\n");
  }

  /** Offset of the cursor. */
  get at(): number {
    const { line, col } = this.#editor.position;
    const before = this.#editor.getLines().slice(0, line);
    return before.reduce((sum, { length }) => sum + length + 1, col);
  }

  /** Moves the cursor to any offset, also behind the last character of a line. */
  place(at: number): void {
    this.#editor.moveTo(positionOf(this.text, at));
  }

  /** Moves the cursor, but keeps it on a character, as outside of insert mode. */
  move(at: number): void {
    const { text } = this;
    const end = lineEnd(text, Math.min(at, text.length));
    const last = Math.max(lineStart(text, end), end - 1);
    this.place(Math.min(at, last));
  }

  /** Replaces a range as one step of undo, and places the cursor. */
  replace(from: number, until: number, put: string, at: number): void {
    const { text } = this;
    const changed = `${text.slice(0, from)}${put}${text.slice(until)}`;
    this.#editor.replace(changed.split("\n"), positionOf(changed, at));
  }

  /** Replaces a range, and moves the cursor to a character. */
  change(from: number, until: number, put: string, at: number): void {
    this.replace(from, until, put, at);
    this.move(at);
  }

  /** Takes back changes, or makes them again. */
  step(way: "undo" | "redo", count: number): void {
    for (let left = count; left > 0; left -= 1) {
      if (way === "undo") this.#editor.undoStep();
      else this.#editor.redoStep();
    }
    this.move(this.at);
  }
}

function positionOf(text: string, at: number): { line: number; col: number } {
  const before = text.slice(0, at).split("\n");
  return { line: before.length - 1, col: (before.at(-1) ?? "").length };
}
