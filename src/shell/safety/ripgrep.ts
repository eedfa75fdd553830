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
