import { checkFacts, show } from "./facts.js";
import { type InputEntry, textOf } from "./request-facts.js";

/** An entry of an input, described: a word for it or its text, or facts about it. */
export type EntryShape = string | Record<string, unknown>;

/** Holds the entries of a request's input against their descriptions, in order. */
export function checkInputShape(
  input: readonly InputEntry[],
  shape: readonly EntryShape[],
): string | undefined {
  let at = 0;
  for (const [index, wanted] of shape.entries()) {
    const entry = input[at];
    const difference = entry === undefined ? "there is no such entry" : checkEntry(entry, wanted);
    if (difference === undefined) at++;
    else if (!isOptional(wanted)) return `input_shape[${index}]: ${difference}`;
  }
  if (at === input.length) return undefined;
  return `input_shape: ${input.length - at} entries more, from ${show(input[at])} on`;
}

function isOptional(wanted: EntryShape): boolean {
  return typeof wanted === "string" && wanted.endsWith("?") && blocks.has(wanted.slice(0, -1));
}

/** Items that the engine adds to a conversation, by tag. */
const blocks: ReadonlySet<string> = new Set([
  "user_instructions",
  "environment_context",
  "user_action",
]);

function checkEntry(entry: InputEntry, wanted: EntryShape): string | undefined {
  const text = textOf(entry);
  if (typeof wanted !== "string") {
    const words = Object.entries(wanted).map(([name, value]) => [wordOf(name), value]);
    return checkFacts({ ...entry, text }, Object.fromEntries(words));
  }
  const block = isOptional(wanted) ? wanted.slice(0, -1) : wanted;
  const bridge = /^bridge\((.*)\)$/.exec(wanted);
  const fits = blocks.has(block)
    ? text.startsWith(`<${block}>`)
    : bridge
      ? (bridge[1] ?? "").split(",").every((part) => text.includes(part.trim()))
      : text === wanted;
  return fits ? undefined : `expected ${wanted}, got ${show(text)}`;
}

/** Of an entry, `contains` is about its text. */
function wordOf(name: string): string {
  return /^(contains|starts_with|ends_with|equals|matches)/.test(name) ? `text_${name}` : name;
}
