/** A motion over the text: returns the offset that it moves to; undefined if it cannot move. */
export type Motion = (text: string, at: number) => number | undefined;

/** How an operator applies to a motion. */
export type MotionKind = "exclusive" | "inclusive" | "lines";

/** Start of the line around an offset. */
export function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

/** End of the line around an offset, before its line break. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

/** First character of the line that is not a space. */
export function firstLetter(text: string, at: number): number {
  const start = lineStart(text, at);
  const line = text.slice(start, lineEnd(text, at));
  return start + (line.length - line.trimStart().length);
}

const left: Motion = (text, at) => (at > lineStart(text, at) ? at - 1 : undefined);
const right: Motion = (text, at) => (at < lineEnd(text, at) ? at + 1 : undefined);

const up: Motion = (text, at) => {
  const start = lineStart(text, at);
  if (start === 0) return undefined;
  const above = lineStart(text, start - 1);
  return Math.min(above + at - start, start - 1);
};

const down: Motion = (text, at) => {
  const end = lineEnd(text, at);
  if (end === text.length) return undefined;
  return Math.min(end + 1 + at - lineStart(text, at), lineEnd(text, end + 1));
};

type Classify = (character: string) => number;
/** Spaces, words and signs; for big words, all that is not a space is one. */
const small: Classify = (character) =>
  /\s/.test(character) ? 0 : /[\p{L}\p{N}_]/u.test(character) ? 1 : 2;
const big: Classify = (character) => (/\s/.test(character) ? 0 : 1);

const wordForward =
  (classify: Classify): Motion =>
  (text, at) => {
    const kind = classify(text[at] ?? " ");
    let to = at;
    while (to < text.length && kind !== 0 && classify(text[to] ?? "") === kind) to += 1;
    while (to < text.length && classify(text[to] ?? "") === 0) to += 1;
    return to;
  };

const wordBackward =
  (classify: Classify): Motion =>
  (text, at) => {
    let to = at - 1;
    while (to > 0 && classify(text[to] ?? "") === 0) to -= 1;
    const kind = classify(text[to] ?? " ");
    while (to > 0 && classify(text[to - 1] ?? "") === kind) to -= 1;
    return Math.max(0, to);
  };

const wordEnd =
  (classify: Classify): Motion =>
  (text, at) => {
    let to = at + 1;
    while (to < text.length && classify(text[to] ?? "") === 0) to += 1;
    const kind = classify(text[to] ?? " ");
    while (to + 1 < text.length && classify(text[to + 1] ?? "") === kind) to += 1;
    return Math.min(to, Math.max(0, text.length - 1));
  };

/** Motions by name, and how operators apply to them. */
const motions = {
  left: { move: left, kind: "exclusive" },
  right: { move: right, kind: "exclusive" },
  up: { move: up, kind: "lines" },
  down: { move: down, kind: "lines" },
  word_forward: { move: wordForward(small), kind: "exclusive" },
  word_backward: { move: wordBackward(small), kind: "exclusive" },
  word_end: { move: wordEnd(small), kind: "inclusive" },
  big_word_forward: { move: wordForward(big), kind: "exclusive" },
  big_word_backward: { move: wordBackward(big), kind: "exclusive" },
  big_word_end: { move: wordEnd(big), kind: "inclusive" },
  line_start: { move: lineStart, kind: "exclusive" },
  line_first_letter: { move: firstLetter, kind: "exclusive" },
  line_end: { move: lineEnd, kind: "exclusive" },
  jump_top: { move: () => 0, kind: "lines" },
  jump_bottom: { move: (text) => lineStart(text, text.length), kind: "lines" },
} as const satisfies Readonly<Record<string, { move: Motion; kind: MotionKind }>>;

type MotionName = keyof typeof motions;

/** Finds a motion by its name. */
export function motionNamed(name: string): { move: Motion; kind: MotionKind } | undefined {
  return Object.hasOwn(motions, name) ? motions[name as MotionName] : undefined;
}

/** Finds a character in the line: on it, or before it (`till`). */
export function findInLine(character: string, isForward: boolean, isTill: boolean): Motion {
  return (text, at) => {
    const skip = isTill ? 1 : 0;
    if (isForward) {
      const to = text.indexOf(character, at + 1 + skip);
      return to === -1 || to >= lineEnd(text, at) ? undefined : to - skip;
    }
    const to = text.lastIndexOf(character, at - 1 - skip);
    return at === 0 || to < lineStart(text, at) ? undefined : to + skip;
  };
}
