import type { CustomPrompt, TextElement } from "../../protocol/types.js";
import { type PromptArguments, splitArguments } from "./arguments.js";
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

/** A line that calls a prompt, taken apart. */
export type PromptCall = { name: string } & PromptArguments;

/** Takes a line such as `/prompts:name ARG=value` apart; nothing when it is no such line. */
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
  return `Missing required args for ${command}: ${missing.join(", ")}. Give each as key=value, such as ${example}`;
}

/** The elements as they lie when that many bytes are taken away before them. */
function shift(elements: readonly TextElement[], bytes: number): TextElement[] {
  return elements.flatMap((element) => {
    const start = element.byte_range.start - bytes;
    const end = element.byte_range.end - bytes;
    return start < 0 ? [] : [{ ...element, byte_range: { start, end } }];
  });
}
