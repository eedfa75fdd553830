import { isLineRange } from "../summary/operands.js";

const acting = new Set([
  "-exec",
  "-execdir",
  "-ok",
  "-okdir",
  "-delete",
  "-fls",
  "-fprint",
  "-fprint0",
  "-fprintf",
]);

/** Whether `find` looks for files without running, deleting or writing anything. */
export function onlyFinds(args: readonly string[]): boolean {
  return !args.some((arg) => acting.has(arg));
}

// Short options of ripgrep that take the rest of the word, or the next word, as their value.
const shortWithValue = "ABCEMTdefgjmrt";

/**
 * Whether `rg` searches without running other programs: no `--pre`, no `--hostname-bin`, and no
 * decompression (`-z`, also among other letters).
 */
export function onlySearches(args: readonly string[]): boolean {
  return !args.some(
    (arg) => /^--(?:pre|hostname-bin)(?:=|$)/.test(arg) || arg === "--search-zip" || unzips(arg),
  );
}

function unzips(arg: string): boolean {
  if (!/^-[^-]/.test(arg)) return false;
  for (const letter of arg.slice(1)) {
    if (letter === "z") return true;
    if (shortWithValue.includes(letter)) return false;
  }
  return false;
}

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

const withValue = /^-[fsw]$|^--(?:skip-fields|skip-chars|check-chars)$/;

/** Whether `uniq` names at most one file: it writes to the second. */
export function readsOneFile(args: readonly string[]): boolean {
  let files = 0;
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? "";
    if (arg === "--") {
      files += args.length - index - 1;
      break;
    }
    if (withValue.test(arg)) index += 1;
    else if (arg === "-" || !arg.startsWith("-")) files += 1;
  }
  return files <= 1;
}

/** Whether `base64` prints its result instead of writing it (`-o`, `--output`, also abbreviated). */
export function writesNoOutput(args: readonly string[]): boolean {
  return !args.some(
    (arg) => arg.startsWith("-o") || /^--o(?:u(?:t(?:p(?:u(?:t)?)?)?)?)?(?:=|$)/.test(arg),
  );
}
