import { isLineRange, operands } from "./operands.js";
import { looksLikePath } from "./paths.js";
import { type Program, type Programs, read, type Summary } from "./program.js";

const lsFlags = ["-I", "-w", "--block-size", "--format", "--time-style", "--color"];
const fdFlags = ["-t", "--type", "-e", "--extension", "-E", "--exclude", "--search-path"];
const nlFlags = ["-s", "-w", "-v", "-i", "-b"];

/** Options of `ls` whose value is a separate word. */
export const lsFlagsWithValue = [...lsFlags, "--quoting-style"];

/** Programs that the reference knew in 2025. */
export const programs2025: Programs = {
  cat: (args) => {
    const files = args[0] === "--" ? args.slice(1) : args;
    return files.length === 1 ? read(files[0]) : undefined;
  },
  fd: (args) => ({ type: "search", ...fdSearch(args) }),
  find: (args) => ({ type: "search", ...findSearch(args) }),
  grep: (args) => patternThenPath(args),
  head: (args) => read(fileAfterCount(args, /^\d+$/)),
  ls: (args) => ({ type: "list_files", path: operands(args, lsFlagsWithValue)[0] }),
  nl: (args) => read(operands(args, nlFlags)[0]),
  rg: (args) =>
    args.includes("--files")
      ? { type: "search", path: args.find((arg) => !arg.startsWith("-")) }
      : patternThenPath(args),
  sed: (args) => (args[0] === "-n" && isLineRange(args[1]) ? read(args[2]) : undefined),
  tail: (args) => read(fileAfterCount(args, /^\+?\d+$/)),
};

/** Returns the pattern and path of an `fd` command. */
export function fdSearch(args: readonly string[]): { query?: string; path?: string } {
  const [first, second] = operands(args, fdFlags);
  if (first === undefined) return {};
  if (second !== undefined) return { query: first, path: second };
  return looksLikePath(first) ? { path: first } : { query: first };
}

/** Returns the pattern and path of a `find` command. */
export function findSearch(args: readonly string[]): { query?: string; path?: string } {
  const path = args.find((arg) => !/^(?:-.*|[!()])$/s.test(arg));
  const named = args.findIndex((arg) => /^-(?:i?name|path|regex)$/.test(arg));
  const query = named === -1 ? undefined : args[named + 1];
  return { ...(query !== undefined && { query }), ...(path !== undefined && { path }) };
}

/** Returns the file of `head -n 5 FILE` and `tail -n+5 FILE`. */
export function fileAfterCount(args: readonly string[], count: RegExp): string | undefined {
  const [first, second] = args;
  if (first === "-n") {
    if (second === undefined || !count.test(second)) return undefined;
    return args.slice(2).find((arg) => !arg.startsWith("-"));
  }
  if (first?.startsWith("-n") !== true || !count.test(first.slice(2))) return undefined;
  return args.find((arg) => !arg.startsWith("-"));
}

const patternThenPath: Program = (args): Summary => {
  const [query, path] = args.filter((arg) => !arg.startsWith("-"));
  return { type: "search", query, path };
};
