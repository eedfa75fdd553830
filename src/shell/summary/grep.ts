import type { Summary } from "./program.js";

const patternFlags = new Set(["-e", "--regexp", "-f", "--file"]);
const countFlags = new Set([
  "-m",
  "--max-count",
  "-C",
  "--context",
  "-A",
  "--after-context",
  "-B",
  "--before-context",
]);

/** What a `grep` searches for and where; the pattern is never shortened, it may hold slashes. */
export function grepSearch(args: readonly string[]): Summary {
  const operands: string[] = [];
  let pattern: string | undefined;
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? "";
    if (arg === "--") {
      operands.push(...args.slice(index + 1));
      break;
    }
    if (patternFlags.has(arg)) {
      index += 1;
      pattern ??= args[index];
    } else if (countFlags.has(arg)) {
      index += 1;
    } else if (!arg.startsWith("-")) {
      operands.push(arg);
    }
  }
  if (pattern !== undefined) return { type: "search", query: pattern, path: operands[0] };
  return { type: "search", query: operands[0], path: operands[1] };
}
