import type { TextElement } from "../../protocol/types.js";
import type { PromptArgument } from "./arguments.js";

/** A text with the elements that are in it. */
export interface PromptText {
  text: string;
  text_elements: TextElement[];
}

/** The names that a prompt wants values for, such as `USER` for `$USER`; `$$USER` is none. */
export function promptArgumentNames(content: string): string[] {
  const names = [...content.matchAll(namePlaceholder)].map(([, name = ""]) => name);
  return [...new Set(names)].filter((name) => name !== "ARGUMENTS");
}

/** Fills in `$NAME`; what has no value stays as it is. */
export function fillNamed(
  content: string,
  values: ReadonlyMap<string, PromptArgument>,
): PromptText {
  return fill(content, namePlaceholder, (_, name) => {
    const value = values.get(name);
    return value && [value];
  });
}

/** Fills in `$1` to `$9` and `$ARGUMENTS`; `$$` stays as it is. */
export function fillNumbered(content: string, words: readonly PromptArgument[]): PromptText {
  return fill(content, /\$(\$|[1-9]|ARGUMENTS)/g, (_, name) => {
    if (name === "$") return undefined;
    if (name === "ARGUMENTS") return words;
    const word = words[Number(name) - 1];
    return word ? [word] : [];
  });
}

const namePlaceholder = /(?<!\$)\$([A-Z][A-Z0-9_]*)/g;

/** Replaces what matches by the words it stands for, with blanks between; by nothing known, not at all. */
function fill(
  content: string,
  pattern: RegExp,
  wordsFor: (match: string, name: string) => readonly PromptArgument[] | undefined,
): PromptText {
  const filled: PromptText = { text: "", text_elements: [] };
  let size = 0;
  const add = (text: string): void => {
    filled.text += text;
    size += Buffer.byteLength(text);
  };
  let at = 0;
  for (const match of content.matchAll(pattern)) {
    add(content.slice(at, match.index));
    at = match.index + match[0].length;
    const words = wordsFor(match[0], match[1] ?? "");
    if (words === undefined) add(match[0]);
    for (const [index, word] of (words ?? []).entries()) {
      if (index > 0) add(" ");
      filled.text_elements.push(...word.text_elements.map((element) => moved(element, size)));
      add(word.text);
    }
  }
  add(content.slice(at));
  return filled;
}

function moved(element: TextElement, by: number): TextElement {
  const { start, end } = element.byte_range;
  return { ...element, byte_range: { start: start + by, end: end + by } };
}
