import { isAbsolute, join, resolve } from "node:path";
import type { RulePlace, SpecialPlace } from "../../protocol/permission-rules.js";

/** Places that profiles name by a word. */
const specialPlaces: ReadonlyMap<string, SpecialPlace> = new Map([
  [":root", "root"],
  [":minimal", "minimal"],
  [":workspace_roots", "workspace_roots"],
  [":project_roots", "workspace_roots"],
  [":tmpdir", "tmpdir"],
  [":slash_tmp", "slash_tmp"],
]);

/** Returns the place that a key of `filesystem` names, or the expectation that it fails. */
export function placeOfKey(key: string, userHome: string): RulePlace | string {
  if (key.includes("\0")) return "a path without NUL";
  if (key.startsWith(":")) {
    const name = specialPlaces.get(key);
    if (name !== undefined) return { type: "special", name };
    return `a special path: ${[...specialPlaces.keys()].join(", ")}`;
  }
  const path = key === "~" || key.startsWith("~/") ? join(userHome, key.slice(1)) : key;
  if (!isAbsolute(path))
    return "a path that is absolute, starts with `~/`, or is a special path such as `:root`";
  if (key.split("/").includes("..")) return "a path without `..`";
  return toPlace(resolve(path));
}

/** Returns the place that a key below another place names, or the expectation that it fails. */
export function placeBelow(place: RulePlace, key: string): RulePlace | string {
  if (key === ".") return place;
  if (key.includes("\0")) return "a path without NUL";
  const parts = key.replace(/\/+$/, "").split(/\/+/);
  if (parts.some((part) => part === "" || part === "." || part === "..")) {
    return "a path below its place, without `.` or `..`";
  }
  const subpath = parts.join("/");
  if (place.type === "path") return toPlace(join(place.path, subpath));
  if (place.type === "special") {
    return isGlob(subpath) ? toPlace(subpath) : { ...place, subpath };
  }
  return "a path outside of a glob";
}

/** Returns true if a place can have a table of paths below it. */
export function canNest(place: RulePlace): boolean {
  return place.type === "path" || (place.type === "special" && place.name === "workspace_roots");
}

function toPlace(path: string): RulePlace {
  return isGlob(path) ? { type: "glob", pattern: path } : { type: "path", path };
}

function isGlob(path: string): boolean {
  return /[*?[{]/.test(path);
}

/** Returns the path of `PATH/**`, which names all files below a path; undefined for other globs. */
export function subtreeOf({ pattern }: { pattern: string }): RulePlace | undefined {
  const path = pattern.replace(/\/\*\*$/, "");
  if (path === pattern || isGlob(path)) return undefined;
  return isAbsolute(path)
    ? { type: "path", path }
    : { type: "special", name: "workspace_roots", subpath: path };
}
