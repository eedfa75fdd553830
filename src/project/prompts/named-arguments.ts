import type { PromptArgument } from "./arguments.js";

/** Arguments by name, or why they are none, in a sentence that follows a colon. */
export type NamedArguments =
  | { values: Map<string, PromptArgument>; problem?: undefined }
  | { values?: undefined; problem: string };

/** Reads words of the form `KEY=value`; of a key given twice the last value counts. */
export function parseNamedArguments(words: readonly PromptArgument[]): NamedArguments {
  const values = new Map<string, PromptArgument>();
  for (const { text, text_elements } of words) {
    const sign = text.indexOf("=");
    if (sign < 0) {
      const advice = "Put values with blanks in double quotes.";
      return { problem: `expected key=value but found '${text}'. ${advice}` };
    }
    if (sign === 0) return { problem: `expected a name before '=' in '${text}'.` };
    const skipped = Buffer.byteLength(text.slice(0, sign + 1));
    const elements = text_elements.flatMap((element) => {
      const start = element.byte_range.start - skipped;
      const end = element.byte_range.end - skipped;
      return start < 0 ? [] : [{ ...element, byte_range: { start, end } }];
    });
    values.set(text.slice(0, sign), { text: text.slice(sign + 1), text_elements: elements });
  }
  return { values };
}
