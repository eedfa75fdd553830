import type { EditorText } from "./editor-text.js";
import { lineEnd, lineStart, type Motion, type MotionKind, motionNamed } from "./motions.js";
import type { Registers } from "./registers.js";

/** What a command does with a range. */
export type Operator = "delete" | "yank" | "change";

/** The text that an operator applies to. */
export interface Range {
  from: number;
  until: number;
  /** Whole lines: a deletion takes their line break along. */
  isLines: boolean;
}

/** Returns the range over which a motion moves; undefined if it cannot move. */
export function rangeOver(
  text: string,
  at: number,
  { move, kind }: { move: Motion; kind: MotionKind },
  count: number,
): Range | undefined {
  let to = at;
  for (let left = count; left > 0; left -= 1) to = move(text, to) ?? to;
  if (to === at && kind !== "lines" && move(text, at) === undefined) return undefined;
  const [from, until] = [Math.min(at, to), Math.max(at, to)];
  if (kind === "lines") return linesAround(text, from, until);
  return { from, until: kind === "inclusive" ? until + 1 : until, isLines: false };
}

/** Returns the range of a motion by its name; undefined if it cannot move, or is none. */
export function rangeOfMotion(
  operator: Operator,
  name: string,
  { text, at }: EditorText,
  count: number,
): Range | undefined {
  // As in vim: `cw` changes up to the end of the word.
  const isWord = operator === "change" && /^(?:big_)?word_forward$/.test(name);
  const onWord = /\S/.test(text[at] ?? " ");
  const motion = motionNamed(isWord && onWord ? name.replace("forward", "end") : name);
  return motion && rangeOver(text, at, motion, count);
}

/** Returns the range of so many lines from the cursor on. */
export function rangeOfLines(text: string, at: number, count: number): Range {
  let end = lineEnd(text, at);
  for (let left = count; left > 1 && end < text.length; left -= 1) end = lineEnd(text, end + 1);
  return linesAround(text, at, end);
}

/** Returns the range between the start of a selection and the cursor. */
export function rangeOfSelection(
  text: string,
  anchor: number,
  at: number,
  isLines: boolean,
): Range {
  const [from, until] = [Math.min(anchor, at), Math.max(anchor, at)];
  if (isLines) return linesAround(text, from, until);
  return { from, until: Math.min(until + 1, text.length), isLines: false };
}

function linesAround(text: string, from: number, until: number): Range {
  return { from: lineStart(text, from), until: lineEnd(text, until), isLines: true };
}

/** Stores a range in a register, removes it unless it is only yanked, and sets the cursor. */
export function applyOperator(
  operator: Operator,
  { from, until, isLines }: Range,
  editor: EditorText,
  registers: Registers,
): void {
  const { text } = editor;
  registers.store({ text: text.slice(from, until), isLines });
  if (operator === "yank") editor.move(from);
  else if (operator === "change") editor.replace(from, until, "", from);
  else if (!isLines) editor.change(from, until, "", from);
  else {
    const isLast = until === text.length;
    // The last line has no line break of its own, so that of the line above goes with it.
    const start = isLast ? Math.max(0, from - 1) : from;
    editor.change(start, isLast ? until : until + 1, "", start);
    editor.move(lineStart(editor.text, editor.at));
  }
}
