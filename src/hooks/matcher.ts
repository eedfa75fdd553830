/**
 * Compiles a matcher to a test of names.
 *
 * A matcher of letters, digits, `_` and `|` is a list of whole names; any other is a regular
 * expression that may match a part of the name. Absent, empty and `*` match everything. Throws a
 * `SyntaxError` for an invalid expression.
 */
export function compileMatcher(matcher: string | undefined): (names: readonly string[]) => boolean {
  if (matcher === undefined || matcher === "" || matcher === "*") return () => true;
  if (/^[A-Za-z0-9_|]*$/.test(matcher)) {
    const wanted = new Set(matcher.split("|"));
    return (names) => names.some((name) => wanted.has(name));
  }
  const expression = toExpression(matcher);
  return (names) => names.some((name) => expression.test(name));
}

/** Accepts what JavaScript writes differently: leading flags `(?i)` and escaped punctuation. */
function toExpression(matcher: string): RegExp {
  const [whole = "", flags = ""] = /^\(\?([ims]+)\)/.exec(matcher) ?? [];
  const source = matcher
    .slice(whole.length)
    .replace(/\\([\s\S])/g, (sequence, char: string) =>
      needlesslyEscaped.test(char) ? `\\x${char.charCodeAt(0).toString(16)}` : sequence,
    );
  return new RegExp(source, `${[...new Set(flags)].join("")}u`);
}

/** Characters without a meaning in expressions, which may not be escaped there. */
const needlesslyEscaped = /[ !"#%&',\-:;<=>@_`~]/;
