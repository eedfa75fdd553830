import { entryAt } from "../paths.js";
import type { PlaceholderState } from "../placeholders.js";
import type { RuleAccess } from "./access.js";
import type { Denied } from "./denied.js";
import type { RuledFiles } from "./rule-files.js";

/**
 * Returns the missing paths that rules name. Matches of patterns are not among them: each of those
 * was there, and has gone.
 */
export function missingByName({ absent }: Denied, access: RuleAccess): string[] {
  const named = new Set(access.paths.map(({ path }) => path));
  return absent.filter((path) => named.has(path));
}

/** Adds paths that were missing to the denied ones, by what is there now, and watches them. */
export function holdMissing(
  { denied, watch }: RuledFiles,
  states: ReadonlyMap<string, PlaceholderState>,
): void {
  for (const [path, state] of states) {
    if (state === "held") denied.held.push(path);
    else if (entryAt(path)?.isDirectory() === true) denied.directories.push(path);
    else if (entryAt(path)?.isFile() === true) denied.files.push(path);
  }
  denied.absent = denied.absent.filter((path) => entryAt(path) === undefined);
  watch?.add([...states.keys()]);
}
