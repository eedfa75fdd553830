import { awkDataFile, isLineRange, sedReadPath, sedWritesInPlace } from "./operands.js";

/** Returns true if a stage of a pipeline only formats text, so that a summary omits it. */
export type Formatting = (argv: readonly string[]) => boolean;

const filters = new Set(["wc", "tr", "cut", "sort", "uniq", "tee", "column", "yes", "printf"]);

/** Formatting stages of the reference in 2025: by the number of words. */
export const formatting2025: Formatting = ([program, ...args]) => {
  if (program === undefined) return false;
  if (filters.has(program) || program === "xargs" || program === "awk") return true;
  if (program === "head" || program === "tail") return args.length < 2;
  if (program === "sed") return args.length < 3 || args[0] !== "-n" || !isLineRange(args[1]);
  return false;
};

/** Formatting stages of the reference in early 2026: by whether a file is read or written. */
export const formatting2026: Formatting = ([program, ...args]) => {
  if (program === undefined) return false;
  if (filters.has(program)) return true;
  if (program === "xargs") return !runsWritingCommand(args);
  if (program === "awk") return awkDataFile(args) === undefined;
  if (program === "head") return onlyCounts(args, /^\d+$/);
  if (program === "tail") return onlyCounts(args, /^\+?\d*$/);
  if (program === "sed") return sedReadPath(args) === undefined;
  return false;
};

/** Excludes a `sed` that writes its files from formatting. */
export function keepingWrites(isFormatting: Formatting): Formatting {
  return (argv) => isFormatting(argv) && !(argv[0] === "sed" && sedWritesInPlace(argv.slice(1)));
}

function onlyCounts(args: readonly string[], count: RegExp): boolean {
  const [flag, value, ...more] = args;
  if (flag === undefined) return true;
  if (value === undefined) return flag.startsWith("-");
  return more.length === 0 && (flag === "-n" || flag === "-c") && count.test(value);
}

const flagsWithValue = new Set(["-E", "-e", "-I", "-L", "-n", "-P", "-s"]);

/** Returns true if `xargs` with these arguments runs a program that changes files in place. */
function runsWritingCommand(args: readonly string[]): boolean {
  const [program, ...rest] = commandOf(args);
  if (program === "perl" || program === "ruby") return rest.some((arg) => /^-p?i/.test(arg));
  if (program === "sed") return sedWritesInPlace(rest) || rest.some((arg) => arg.startsWith("-i"));
  return program === "rg" && rest.includes("--replace");
}

function commandOf(args: readonly string[]): readonly string[] {
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? "";
    if (arg === "--") return args.slice(index + 1);
    if (!arg.startsWith("-")) return args.slice(index);
    if (flagsWithValue.has(arg)) index += 1;
  }
  return [];
}
