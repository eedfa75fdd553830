import { isDeepStrictEqual } from "node:util";

/** Throws with both lists when they differ. */
export function expectSame(
  what: string,
  actual: readonly string[],
  expected: readonly string[],
): void {
  if (isDeepStrictEqual(actual, expected)) return;
  const at = expected.findIndex((line, index) => line !== actual[index]);
  const first = at < 0 ? expected.length : at;
  const show = (lines: readonly string[]) =>
    lines
      .slice(first)
      .map((line) => `\n      ${line}`)
      .join("") || "\n      (nothing)";
  throw new Error(
    `${what} differs from line ${first + 1} on\n    expected:${show(expected)}\n    got:${show(actual)}`,
  );
}

/** Throws unless the text holds all the pieces. */
export function expectIn(what: string, text: string, ...pieces: string[]): void {
  const missing = pieces.filter((piece) => !text.includes(piece));
  if (missing.length === 0) return;
  const start = text.length > 2000 ? `${text.slice(0, 2000)}…` : text;
  throw new Error(
    `${what} lacks ${missing.map((piece) => JSON.stringify(piece)).join(", ")}: ${start}`,
  );
}
