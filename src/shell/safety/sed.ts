import { isLineRange } from "../summary/operands.js";

/** Whether `sed` prints lines of one file: exactly `-n RANGEp FILE`. */
export function printsLinesOfFile(args: readonly string[]): boolean {
  return args.length === 3 && args[2] !== "" && printsLines(args);
}

/** The same, where the file may be missing because the lines come through a pipe. */
export function printsLines([quiet, range, file, ...more]: readonly string[]): boolean {
  if (quiet !== "-n" || !isLineRange(range) || more.length > 0) return false;
  // An option in the place of the file could name a script (`-fSCRIPT`), and sed scripts run programs.
  return file === undefined || file === "-" || !file.startsWith("-");
}
