/**
 * Reads a word of a script as the words that a shell would most likely make of it: without quotes and
 * backslashes, braces taken apart. What a variable or a substitution gives stays as it is written.
 *
 * `\rm`, `r''m`, `"rm"`, `$'\x72m'` are all `rm`. For decisions that tighten only.
 */
export function looseWords(source: string): string[] {
  const braces = /^\{([^{}]*,[^{}]*)\}$/.exec(source)?.[1];
  if (braces !== undefined) return braces.split(",").map(unquote);
  return [unquote(source)];
}

function unquote(source: string): string {
  return source.replaceAll(piece, (whole, ansi, single, double, escaped) => {
    if (ansi !== undefined) return decode(ansi);
    if (single !== undefined) return single;
    if (double !== undefined) return double.replaceAll(/\\([$`"\\])|\\\n/g, "$1");
    if (escaped !== undefined) return escaped === "\n" ? "" : escaped;
    return whole;
  });
}

const piece = /\$'((?:[^'\\]|\\.)*)'|'([^']*)'|\$?"((?:[^"\\]|\\.)*)"|\\([\s\S])/g;

function decode(text: string): string {
  return text.replaceAll(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|(.))/gs,
    (_, hex, short, long, octal, other) => {
      const digits = hex ?? short ?? long;
      if (digits !== undefined) return character(Number.parseInt(digits, 16));
      if (octal !== undefined) return character(Number.parseInt(octal, 8));
      return escapes[other] ?? other;
    },
  );
}

function character(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };
