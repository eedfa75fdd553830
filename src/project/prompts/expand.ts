import type { CustomPrompt, TextElement } from "../../protocol/types.js";
import { type PromptArgument, splitArguments } from "./arguments.js";
import { parseNamedArguments } from "./named-arguments.js";
import { fillNamed, fillNumbered, type PromptText, promptArgumentNames } from "./placeholders.js";

/** A prompt with its arguments filled in, or a sentence for the user saying why not. */
export type ExpandedPrompt =
  | (PromptText & { problem?: undefined })
  | { text?: undefined; problem: string };

/**
 * Puts a saved prompt in the place of a line such as `/prompts:name ARG=value`.
 *
 * Nothing when the line is no such command or names no prompt that exists.
 */
export function expandPrompt(
  line: string,
  prompts: readonly CustomPrompt[],
  elements: readonly TextElement[] = [],
): ExpandedPrompt | undefined {
  const command = parsePromptCommand(line, elements);
  const prompt = prompts.find(({ name }) => name === command?.name);
  if (command === undefined || prompt === undefined) return undefined;
  const shown = `/prompts:${prompt.name}`;
  const split = splitArguments(command.rest, command.elements);
  if (split.problem !== undefined)
    return { problem: `Could not parse ${shown}: ${split.problem}.` };
  const names = promptArgumentNames(prompt.content);
  if (names.length === 0) return fillNumbered(prompt.content, split.words);
  const named = parseNamedArguments(split.words);
  if (named.problem !== undefined) return { problem: `Could not parse ${shown}: ${named.problem}` };
  const missing = names.filter((name) => !named.values.has(name));
  if (missing.length > 0) return { problem: missingArguments(shown, missing) };
  return fillNamed(prompt.content, named.values);
}

/** The words that follow a prompt's name on a line that calls it; none when it calls another. */
export function positionalArguments(
  line: string,
  promptName: string,
  elements: readonly TextElement[] = [],
): PromptArgument[] {
  const text = line.trimStart();
  const before = Buffer.byteLength(line) - Buffer.byteLength(text);
  const command = parsePromptCommand(text, shift(elements, before));
  if (command?.name !== promptName) return [];
  return splitArguments(command.rest, command.elements).words ?? [];
}

function missingArguments(command: string, missing: readonly string[]): string {
  const example = `${command} ${missing[0]}="…"`;
  return `Missing required args for ${command}: ${missing.join(", ")}. Give each as key=value, such as ${example}`;
}

interface PromptCommand {
  name: string;
  rest: string;
  /** Places in `rest`. */
  elements: TextElement[];
}

function parsePromptCommand(
  line: string,
  elements: readonly TextElement[],
): PromptCommand | undefined {
  const found = /^\/prompts:(\S+)\s*/.exec(line);
  if (found === null) return undefined;
  const [head, name = ""] = found;
  return {
    name,
    rest: line.slice(head.length),
    elements: shift(elements, Buffer.byteLength(head)),
  };
}

/** The elements as they lie when that many bytes are taken away before them. */
function shift(elements: readonly TextElement[], bytes: number): TextElement[] {
  return elements.flatMap((element) => {
    const start = element.byte_range.start - bytes;
    const end = element.byte_range.end - bytes;
    return start < 0 ? [] : [{ ...element, byte_range: { start, end } }];
  });
}
