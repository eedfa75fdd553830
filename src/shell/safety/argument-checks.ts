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

/** Returns true if `find` runs, deletes and writes nothing. */
export function onlyFinds(args: readonly string[]): boolean {
  return !args.some((arg) => acting.has(arg));
}

// Short options of ripgrep that take the rest of the word, or the next word, as their value.
const shortWithValue = "ABCEMTdefgjmrt";

/**
 * Returns true if `rg` runs no other program: no `--pre`, no `--hostname-bin`, and no decompression
 * (`-z`, also among other letters).
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

/** Returns true if `sed` prints lines of one file: exactly `-n RANGEp FILE`. */
export function printsLinesOfFile(args: readonly string[]): boolean {
  return args.length === 3 && args[2] !== "" && printsLines(args);
}

/** Like `printsLinesOfFile`, but the file may be omitted because the lines come through a pipe. */
export function printsLines([quiet, range, file, ...more]: readonly string[]): boolean {
  if (quiet !== "-n" || !isLineRange(range) || more.length > 0) return false;
  // An option in place of the file could name a script (`-fSCRIPT`), and sed scripts can run
  // programs.
  return file === undefined || file === "-" || !file.startsWith("-");
}

const withValue = /^-[fsw]$|^--(?:skip-fields|skip-chars|check-chars)$/;

/** Returns true if `uniq` names at most one file: it writes to the second. */
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

/** Returns true if `base64` prints its result instead of writing it (`-o`, `--output`, also abbreviated). */
export function writesNoOutput(args: readonly string[]): boolean {
  return !args.some(
    (arg) => arg.startsWith("-o") || /^--o(?:u(?:t(?:p(?:u(?:t)?)?)?)?)?(?:=|$)/.test(arg),
  );
}
