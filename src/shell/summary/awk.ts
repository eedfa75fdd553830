import { operands } from "./operands.js";

const flagsWithValue = ["-F", "-v", "-f", "--field-separator", "--assign", "--file"];

/** The file `awk` reads: its first operand, not counting the program unless that comes from a file. */
export function awkDataFile(args: readonly string[]): string | undefined {
  const programInFile = args.includes("-f") || args.includes("--file");
  return operands(args, flagsWithValue)[programInFile ? 0 : 1];
}
