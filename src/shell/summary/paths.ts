const uninteresting = new Set(["", "build", "dist", "node_modules", "src"]);

/** A short name for a path: its last component that says something. */
export function shortPath(path: string): string {
  const trimmed = path.replaceAll("\\", "/").replace(/\/+$/, "");
  return trimmed.split("/").findLast((part) => !uninteresting.has(part)) ?? trimmed;
}

/** Whether a word looks like a path rather than like something to search for. */
export function looksLikePath(word: string): boolean {
  return word === "." || word === ".." || /[/\\]/.test(word);
}

/** Where `cd` goes: the last operand, or the one after `--`. */
export function cdTarget(args: readonly string[]): string | undefined {
  const dashes = args.indexOf("--");
  if (dashes !== -1) return args[dashes + 1];
  return args.findLast((arg) => !arg.startsWith("-"));
}

/** A path as seen from a directory reached before; nothing on disk is looked at. */
export function pathFrom(directory: string | undefined, path: string): string {
  if (directory === undefined || directory === "") return path;
  if (/^(?:\/|[A-Za-z]:\\|\\\\)/.test(path)) return path;
  return directory.endsWith("/") ? `${directory}${path}` : `${directory}/${path}`;
}
