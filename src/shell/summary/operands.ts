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
