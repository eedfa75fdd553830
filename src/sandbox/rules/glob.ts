import { join } from "node:path";

/** A pattern for paths, and the directory that all of its matches are in. */
export interface PathGlob {
  /** The longest path without special characters, as in the pattern. */
  named: string;
  /** The same path with its links resolved. */
  base: string;
  /** Depth of matches below `base`; absent if there is no limit. */
  depth?: number;
  /** The part below `base` as a regular expression without anchors; empty if the pattern is a plain path. */
  source: string;
  /** Returns true if an absolute path matches as a whole. */
  matches(path: string): boolean;
}

/**
 * Parses a pattern: `*` and `?` stay within a name, `**` spans directories, `[…]` is one of several
 * characters and `{a,b}` one of several texts, each of which becomes a separate glob.
 *
 * The pattern is below `root`, which is a plain path: its name may have any characters. `DIR/**` means
 * the directory itself: a rule for a directory includes everything below it. Throws if the
 * alternatives are too many.
 */
export function parseGlobs(pattern: string, root: string, options: GlobOptions = {}): PathGlob[] {
  return expandBraces(pattern).map((path) => parseGlob(path, root, options));
}

/** Options for `parseGlobs`. */
interface GlobOptions {
  /** Ignores case, as the file system does. */
  anyCase?: boolean;
  /** Resolves links in the directory that matches are in. */
  resolve?(path: string): string;
}

function parseGlob(
  pattern: string,
  root: string,
  { anyCase = false, resolve }: GlobOptions,
): PathGlob {
  const names = pattern.split("/").filter((name) => name !== "" && name !== ".");
  while (names.at(-1) === "**") names.pop();
  // Everything in the workspace, but not the workspace: rules permit that by name.
  if (names.length === 0 && root !== "/") names.push("*");
  const firstSpecial = names.findIndex((name) => /[*?[\\]/.test(name));
  const plain = firstSpecial === -1 ? names.length : firstSpecial;
  const named = join(root, ...names.slice(0, plain));
  const base = resolve?.(named) ?? named;
  const rest = names.slice(plain);
  const source = rest.map(toSource).join("");
  const expression = new RegExp(`^${source}$`, anyCase ? "is" : "s");
  const start = base === "/" ? "/" : `${base}/`;
  return {
    named,
    base,
    ...(rest.some((name) => name.includes("**")) ? {} : { depth: rest.length }),
    source,
    matches: (candidate) =>
      candidate.startsWith(start) && expression.test(candidate.slice(start.length)),
  };
}

function toSource(name: string, index: number, names: readonly string[]): string {
  // `**` also matches no directory at all.
  if (name === "**") return "(?:[^/]+/)*";
  return nameSource(name) + (index < names.length - 1 ? "/" : "");
}

function nameSource(name: string): string {
  let source = "";
  for (let at = 0; at < name.length; at++) {
    const char = name[at] ?? "";
    const set = char === "[" ? characterSet(name, at) : undefined;
    if (set !== undefined) {
      source += set.source;
      at = set.end;
    } else if (name.startsWith("**", at)) {
      source += "(?:[^/]*/)*[^/]*";
      while (name[at + 1] === "*") at++;
    } else if (char === "*") source += "[^/]*";
    else if (char === "?") source += "[^/]";
    else if (char === "\\" && at + 1 < name.length) source += escaped(name[++at] ?? "");
    else source += escaped(char);
  }
  return source;
}

function characterSet(name: string, start: number): { source: string; end: number } | undefined {
  const negated = name[start + 1] === "!" || name[start + 1] === "^";
  const first = start + (negated ? 2 : 1);
  // A bracket right at the start is a character of the set.
  const end = name.indexOf("]", first + 1);
  if (end === -1) return undefined;
  const content = name.slice(first, end).replace(/[\\\]^[]/g, "\\$&");
  return { source: negated ? `[^/${content}]` : `[${content}]`, end };
}

function escaped(char: string): string {
  return char.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}

const mostAlternatives = 256;

/** Replaces the first innermost `{a,b}` until there is none. */
function expandBraces(pattern: string): string[] {
  let open = [pattern];
  for (;;) {
    let changed = false;
    open = open.flatMap((text) => {
      const found = /\{([^{}]*,[^{}]*)\}/.exec(text);
      if (found === null) return [text];
      changed = true;
      const [before, after] = [
        text.slice(0, found.index),
        text.slice(found.index + found[0].length),
      ];
      return (found[1] ?? "").split(",").map((part) => before + part + after);
    });
    if (open.length > mostAlternatives) {
      throw new Error(`the pattern ${pattern} has more than ${mostAlternatives} alternatives`);
    }
    if (!changed) return open;
  }
}
