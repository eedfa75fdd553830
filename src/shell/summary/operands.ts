/** The arguments that are no options, an option's separate value not counted when its flag is named. */
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

/** The only operand, or nothing when there is none or more than one. */
export function onlyOperand(
  args: readonly string[],
  flagsWithValue: readonly string[] = [],
): string | undefined {
  const found = operands(args, flagsWithValue);
  return found.length === 1 ? found[0] : undefined;
}

/** Whether a `sed` script prints one line or a range of lines and does nothing else. */
export function isLineRange(script: string | undefined): boolean {
  return script !== undefined && /^\d+(?:,\d+)?p$/.test(script);
}

const awkFlagsWithValue = ["-F", "-v", "-f", "--field-separator", "--assign", "--file"];

/** The file `awk` reads: its first operand, not counting the program unless that comes from a file. */
export function awkDataFile(args: readonly string[]): string | undefined {
  const programInFile = args.includes("-f") || args.includes("--file");
  return operands(args, awkFlagsWithValue)[programInFile ? 0 : 1];
}

const sedFlagsWithValue = ["-e", "--expression", "-f", "--file"];

/** The file of a `sed -n` that prints a range of lines and nothing else. */
export function sedReadPath(args: readonly string[]): string | undefined {
  if (!args.includes("-n") || !printsRange(args)) return undefined;
  const [first, second] = operands(args, sedFlagsWithValue);
  return isLineRange(first) ? second : first;
}

/** Whether `sed` writes its files: `-i`, alone, with a suffix or among other letters, or `--in-place`. */
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
