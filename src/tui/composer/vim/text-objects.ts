import { lineEnd, lineStart } from "./motions.js";

/** Names of text objects. */
export type TextObjectName =
  | "word"
  | "big_word"
  | "parentheses"
  | "brackets"
  | "braces"
  | "double_quote"
  | "single_quote"
  | "backtick";

/** Returns the range of the text object around an offset; `isAround` includes what encloses it. */
export function textObject(
  name: TextObjectName,
  text: string,
  at: number,
  isAround: boolean,
): [start: number, end: number] | undefined {
  if (name === "word" || name === "big_word")
    return wordAround(text, at, name === "word", isAround);
  const quote = quotes[name];
  const range =
    quote === undefined
      ? insideBrackets(text, at, pairs[name] ?? "()")
      : insideQuotes(text, at, quote);
  if (range === undefined) return undefined;
  const [start, end] = range;
  return isAround ? [start - 1, end + 1] : [start, end];
}

const quotes: Readonly<Partial<Record<TextObjectName, string>>> = {
  double_quote: '"',
  single_quote: "'",
  backtick: "`",
};
const pairs: Readonly<Partial<Record<TextObjectName, string>>> = {
  parentheses: "()",
  brackets: "[]",
  braces: "{}",
};

function wordAround(text: string, at: number, isSmall: boolean, isAround: boolean) {
  const kindOf = (character: string) =>
    /\s/.test(character) ? "space" : isSmall && !/[\p{L}\p{N}_]/u.test(character) ? "sign" : "word";
  const [first, last] = [lineStart(text, at), lineEnd(text, at)];
  if (first === last) return undefined;
  const kind = kindOf(text[at] ?? " ");
  let [start, end] = [at, at];
  while (start > first && kindOf(text[start - 1] ?? "") === kind) start -= 1;
  while (end < last && kindOf(text[end] ?? "") === kind) end += 1;
  if (isAround) while (end < last && /\s/.test(text[end] ?? "")) end += 1;
  return [start, end] as [number, number];
}

function insideQuotes(text: string, at: number, quote: string): [number, number] | undefined {
  const [first, last] = [lineStart(text, at), lineEnd(text, at)];
  const marks: number[] = [];
  for (let index = first; index < last; index += 1) if (text[index] === quote) marks.push(index);
  for (let index = 0; index + 1 < marks.length; index += 2) {
    const [open = 0, close = 0] = [marks[index], marks[index + 1]];
    if (at <= close) return [open + 1, close];
  }
  return undefined;
}

function insideBrackets(
  text: string,
  at: number,
  [open, close]: string,
): [number, number] | undefined {
  let depth = 0;
  for (let start = at; start >= 0; start -= 1) {
    if (text[start] === close && start !== at) depth += 1;
    else if (text[start] === open) {
      if (depth > 0) depth -= 1;
      else {
        const end = closing(text, start, open ?? "", close ?? "");
        return end === undefined ? undefined : [start + 1, end];
      }
    }
  }
  return undefined;
}

function closing(text: string, start: number, open: string, close: string): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === open) depth += 1;
    else if (text[at] === close) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return undefined;
}
