/** Returns the arguments that are not options, without the values of the given flags. */
export function operands(
  args: readonly string[],
  flagsWithValue: readonly string[] = [],
): string[] {
  const found: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? "";
    if (arg === "--") return [...found, ...args.slice(index + 1)];
    if (flagsWithValue.includes(arg)) index += 1;
    else if (!arg.startsWith("-")) found.push(arg);
  }
  return found;
}

/** Returns the operand if there is exactly one. */
export function onlyOperand(
  args: readonly string[],
  flagsWithValue: readonly string[] = [],
): string | undefined {
  const found = operands(args, flagsWithValue);
  return found.length === 1 ? found[0] : undefined;
}

/** Returns true if a `sed` script only prints one line or a range of lines. */
export function isLineRange(script: string | undefined): boolean {
  return script !== undefined && /^\d+(?:,\d+)?p$/.test(script);
}

const awkFlagsWithValue = ["-F", "-v", "-f", "--field-separator", "--assign", "--file"];

/** Returns the file that `awk` reads: its first operand after the program, if that is not in a file. */
export function awkDataFile(args: readonly string[]): string | undefined {
  const programInFile = args.includes("-f") || args.includes("--file");
  return operands(args, awkFlagsWithValue)[programInFile ? 0 : 1];
}

const sedFlagsWithValue = ["-e", "--expression", "-f", "--file"];

/** Returns the file of a `sed -n` that only prints a range of lines. */
export function sedReadPath(args: readonly string[]): string | undefined {
  if (!args.includes("-n") || !printsRange(args)) return undefined;
  const [first, second] = operands(args, sedFlagsWithValue);
  return isLineRange(first) ? second : first;
}

/**
 * Returns true if `sed` writes its files: `-i`, alone, with a suffix or among other letters, or
 * `--in-place`.
 */
export function sedWritesInPlace(args: readonly string[]): boolean {
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? "";
    if (arg === "--") return false;
    if (sedFlagsWithValue.includes(arg)) {
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
