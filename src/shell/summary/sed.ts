import { isLineRange, operands } from "./operands.js";

const flagsWithValue = ["-e", "--expression", "-f", "--file"];

/** The file of a `sed -n` that prints a range of lines and nothing else. */
export function sedReadPath(args: readonly string[]): string | undefined {
  if (!args.includes("-n") || !printsRange(args)) return undefined;
  const [first, second] = operands(args, flagsWithValue);
  return isLineRange(first) ? second : first;
}

/** Whether `sed` writes its files: `-i`, alone, with a suffix or among other letters, or `--in-place`. */
export function sedWritesInPlace(args: readonly string[]): boolean {
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? "";
    if (arg === "--") return false;
    if (flagsWithValue.includes(arg)) {
      index += 1;
    } else if (arg.startsWith("--")) {
      if (/^--in-place(?:=|$)/.test(arg)) return true;
    } else if (arg.startsWith("-")) {
      // Letters after `e` or `f` are that option's value.
      const letters = arg.slice(1).match(/^[^ef]*[ef]?/)?.[0] ?? "";
      if (letters.includes("i")) return true;
      if (/[ef]$/.test(letters) && letters.length === arg.length - 1) index += 1;
    }
  }
  return false;
}

function printsRange(args: readonly string[]): boolean {
  for (const [index, arg] of args.entries()) {
    if ((arg === "-e" || arg === "--expression") && isLineRange(args[index + 1])) return true;
  }
  return args.some((arg) => isLineRange(arg));
}
