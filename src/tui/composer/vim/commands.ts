import type { EditorText } from "./editor-text.js";
import { firstLetter, lineEnd, lineStart } from "./motions.js";
import type { Operator, Range } from "./operators.js";
import type { Registers } from "./registers.js";

/** Commands that switch to the insert mode; they return the offset that it starts at. */
export const insertCommands: Commands<(editor: EditorText) => number> = {
  enter_insert: ({ at }) => at,
  append_after_cursor: ({ text, at }) => Math.min(at + 1, lineEnd(text, at)),
  append_line_end: ({ text, at }) => lineEnd(text, at),
  insert_line_start: ({ text, at }) => firstLetter(text, at),
  open_line_below: (editor) => openLine(editor, true),
  open_line_above: (editor) => openLine(editor, false),
};

/** An operator with the range that it applies to. */
interface OperatorCommand {
  operator: Operator;
  range(editor: EditorText, count: number): Range;
}

const characters: OperatorCommand["range"] = ({ text, at }, count) =>
  within(at, Math.min(at + count, lineEnd(text, at)));
const restOfLine: OperatorCommand["range"] = ({ text, at }) => within(at, lineEnd(text, at));

/** Commands that apply an operator to a range of their own. */
export const operatorCommands: Commands<OperatorCommand> = {
  delete_char: { operator: "delete", range: characters },
  delete_char_before: {
    operator: "delete",
    range: ({ text, at }, count) => within(Math.max(lineStart(text, at), at - count), at),
  },
  substitute_char: { operator: "change", range: characters },
  substitute_line: {
    operator: "change",
    range: ({ text, at }) => within(lineStart(text, at), lineEnd(text, at)),
  },
  delete_to_line_end: { operator: "delete", range: restOfLine },
  change_to_line_end: { operator: "change", range: restOfLine },
  yank_line: {
    operator: "yank",
    range: ({ text, at }) => ({ ...within(lineStart(text, at), lineEnd(text, at)), isLines: true }),
  },
};

/** What a change of the text needs. */
interface EditParts {
  editor: EditorText;
  registers: Registers;
  count: number;
}

/** Commands that change the text at once. */
export const editCommands: Commands<(parts: EditParts) => void> = {
  switch_case: ({ editor, count }) => switchCase(editor, count),
  join_lines: ({ editor }) => joinLines(editor),
  paste_after: (parts) => paste(parts, true),
  paste_before: (parts) => paste(parts, false),
};

type Commands<Command> = Readonly<Record<string, Command | undefined>>;

function within(from: number, until: number): Range {
  return { from, until, isLines: false };
}

function openLine(editor: EditorText, isBelow: boolean): number {
  const { text, at } = editor;
  const to = isBelow ? lineEnd(text, at) : lineStart(text, at);
  const opened = isBelow ? to + 1 : to;
  editor.replace(to, to, "\n", opened);
  return opened;
}

/** Replaces characters with another one; does nothing if the line has fewer. */
export function replaceCharacters(editor: EditorText, key: string, count: number): void {
  const { text, at } = editor;
  if (key < " " || at + count > lineEnd(text, at)) return;
  editor.change(at, at + count, key.repeat(count), at + count - 1);
}

function switchCase(editor: EditorText, count: number): void {
  const { text, at } = editor;
  const letters = text.slice(at, Math.min(at + count, lineEnd(text, at)));
  const switched = [...letters].map(otherCase).join("");
  editor.change(at, at + letters.length, switched, at + letters.length);
}

function otherCase(letter: string): string {
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
}

function joinLines(editor: EditorText): void {
  const { text, at } = editor;
  const end = lineEnd(text, at);
  if (end < text.length) editor.change(end, firstLetter(text, end + 1), " ", end);
}

/** Inserts a register after the cursor or before it; lines go below its line or above it. */
function paste({ editor, registers, count }: EditParts, isAfter: boolean): void {
  const register = registers.take();
  if (register === undefined) return;
  const { text, at } = editor;
  const [start, end] = [lineStart(text, at), lineEnd(text, at)];
  if (register.isLines) {
    const lines = Array.from({ length: count }, () => register.text).join("\n");
    if (isAfter) editor.change(end, end, `\n${lines}`, end + 1);
    else editor.change(start, start, `${lines}\n`, start);
  } else {
    const piece = register.text.repeat(count);
    const to = isAfter ? Math.min(at + 1, end) : at;
    editor.change(to, to, piece, Math.max(to, to + piece.length - 1));
  }
}
