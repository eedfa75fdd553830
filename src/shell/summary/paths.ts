const uninteresting = new Set(["", "build", "dist", "node_modules", "src"]);

/** Returns a short name for a path: its last meaningful component. */
export function shortPath(path: string): string {
  const trimmed = path.replaceAll("\\", "/").replace(/\/+$/, "");
  return trimmed.split("/").findLast((part) => !uninteresting.has(part)) ?? trimmed;
}

/** Returns true if a word looks like a path rather than a search pattern. */
export function looksLikePath(word: string): boolean {
  return word === "." || word === ".." || /[/\\]/.test(word);
}

/** Returns the target of `cd`: the last operand, or the one after `--`. */
export function cdTarget(args: readonly string[]): string | undefined {
  const dashes = args.indexOf("--");
  if (dashes !== -1) return args[dashes + 1];
  return args.findLast((arg) => !arg.startsWith("-"));
}

/** Joins a path to the directory of an earlier `cd`; does not access the disk. */
export function pathFrom(directory: string | undefined, path: string): string {
  if (directory === undefined || directory === "") return path;
  if (/^(?:\/|[A-Za-z]:\\|\\\\)/.test(path)) return path;
  return directory.endsWith("/") ? `${directory}${path}` : `${directory}/${path}`;
}
