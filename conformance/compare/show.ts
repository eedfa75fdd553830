import type { Difference } from "../match/value.js";
import type { Json } from "../trace/trace.js";

/** A value on one line, cut when it is long. */
export function show(value: Json | undefined, limit = 300): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length} characters)`;
}

/** A difference for people: path, expected value, actual value. */
export function showDifference({ path, expected, got }: Difference): string {
  const [left, right] = aroundFirstDifference(expected, got);
  return `${path || "line"}: expected ${left}, got ${right}`;
}

/** Long texts mostly agree: shows them from shortly before the place where they part. */
function aroundFirstDifference(
  expected: Json | undefined,
  got: Json | undefined,
): [string, string] {
  if (typeof expected !== "string" || typeof got !== "string" || expected.length < 200) {
    return [show(expected), show(got)];
  }
  let same = 0;
  while (same < expected.length && expected[same] === got[same]) same++;
  const from = Math.max(0, same - 40);
  const part = (text: string) => `${from > 0 ? `(from ${from}) …` : ""}${show(text.slice(from))}`;
  return [part(expected), part(got)];
}
