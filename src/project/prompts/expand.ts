import type { CustomPrompt, TextElement } from "../../protocol/types.js";
import {
  type PromptArgument,
  type PromptArguments,
  parseNamedArguments,
  splitArguments,
} from "./arguments.js";

/** An expanded prompt, or a problem as a sentence for the user. */
export type ExpandedPrompt =
  | (PromptText & { problem?: undefined })
  | { text?: undefined; problem: string };

/**
 * Expands a command such as `/prompts:name ARG=value` to the saved prompt.
 *
 * Returns undefined if the line is not such a command or the prompt does not exist.
 */
export function expandPrompt(
  line: string,
  prompts: readonly CustomPrompt[],
  elements: readonly TextElement[] = [],
): ExpandedPrompt | undefined {
  const call = parsePromptCall(line, elements);
  const prompt = prompts.find(({ name }) => name === call?.name);
  if (call === undefined || prompt === undefined) return undefined;
  const shown = `/prompts:${prompt.name}`;
  if (call.problem !== undefined) return { problem: `Could not parse ${shown}: ${call.problem}.` };
  const names = promptArgumentNames(prompt.content);
  if (names.length === 0) return fillNumbered(prompt.content, call.words);
  const named = parseNamedArguments(call.words);
  if (named.problem !== undefined) return { problem: `Could not parse ${shown}: ${named.problem}` };
  const missing = names.filter((name) => !named.values.has(name));
  if (missing.length > 0) return { problem: missingArguments(shown, missing) };
  return fillNamed(prompt.content, named.values);
}

/** A parsed prompt command. */
type PromptCall = { name: string } & PromptArguments;

/** Parses a command such as `/prompts:name ARG=value`; undefined for other lines. */
export function parsePromptCall(
  line: string,
  elements: readonly TextElement[] = [],
): PromptCall | undefined {
  const found = /^\/prompts:(\S+)\s*/.exec(line);
  if (found === null) return undefined;
  const [head, name = ""] = found;
  const rest = line.slice(head.length);
  return { name, ...splitArguments(rest, shift(elements, Buffer.byteLength(head))) };
}

function missingArguments(command: string, missing: readonly string[]): string {
  const example = `${command} ${missing[0]}="…"`;
  return `Missing required args for ${command}: ${missing.join(", ")}. Pass each as key=value, such as ${example}`;
}

/** Shifts elements left by a number of bytes, dropping those before the start. */
function shift(elements: readonly TextElement[], bytes: number): TextElement[] {
  return elements.flatMap((element) => {
    const start = element.byte_range.start - bytes;
    const end = element.byte_range.end - bytes;
    return start < 0 ? [] : [{ ...element, byte_range: { start, end } }];
  });
}

/** A text with the elements in it. */
export interface PromptText {
  text: string;
  text_elements: TextElement[];
}

/** Returns the placeholders of a prompt, such as `USER` for `$USER`; `$$USER` is not one. */
export function promptArgumentNames(content: string): string[] {
  const names = [...content.matchAll(namePlaceholder)].map(([, name = ""]) => name);
  return [...new Set(names)].filter((name) => name !== "ARGUMENTS");
}

/** Replaces `$NAME`; placeholders without a value are unchanged. */
function fillNamed(content: string, values: ReadonlyMap<string, PromptArgument>): PromptText {
  return fill(content, namePlaceholder, (_, name) => {
    const value = values.get(name);
    return value && [value];
  });
}

/** Replaces `$1` to `$9` and `$ARGUMENTS`; `$$` is unchanged. */
function fillNumbered(content: string, words: readonly PromptArgument[]): PromptText {
  return fill(content, /\$(\$|[1-9]|ARGUMENTS)/g, (_, name) => {
    if (name === "$") return undefined;
    if (name === "ARGUMENTS") return words;
    const word = words[Number(name) - 1];
    return word ? [word] : [];
  });
}

const namePlaceholder = /(?<!\$)\$([A-Z][A-Z0-9_]*)/g;

/** Replaces each match with its words, joined by spaces; unchanged if there are none. */
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
