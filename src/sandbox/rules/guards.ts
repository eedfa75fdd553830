import { fstatSync, readlinkSync, type Stats } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { ancestors, entryAt, isWithin, realPathOf, realPlaceOf } from "../paths.js";
import type { ReadGuard } from "../read-guard.js";
import type { Decision, RuleAccess } from "./access.js";
import type { Denied } from "./denied.js";

/** Options for `createReadGuard`. */
interface ReadGuardSources {
  access: RuleAccess;
  denied: Denied;
  /** Paths that the user granted in addition to the rules. */
  granted: readonly string[];
  platform: NodeJS.Platform;
}

/**
 * Applies rules to reads of this process.
 *
 * Denied files are also known by their identity, so that another name, or another spelling on a file
 * system that ignores case, is denied too.
 */
export function createReadGuard(sources: ReadGuardSources): ReadGuard {
  const { access, denied, granted, platform } = sources;
  const masked = new Set([...denied.files, ...denied.directories]);
  const identities = new Set(
    [...masked, ...denied.inside.linked].flatMap((path) => keyOf(entryAt(path))),
  );
  const isMasked = (path: string, stats: Stats | undefined) =>
    keyOf(stats).some((key) => identities.has(key)) ||
    ancestors(path).some((place) => masked.has(place) || hasKey(place, identities));
  const decide = (named: string, descriptor: number | undefined): Decision => {
    const path = openedPath(named, descriptor, platform);
    const stats = descriptor === undefined ? entryAt(path) : fstatSync(descriptor);
    const decision = access.of(path);
    const isExplicit = decision.place !== undefined && masked.has(decision.place) === false;
    const permitted = decision.access === "read" || decision.access === "write";
    // A permitted path in a denied directory is not masked.
    if (permitted && isExplicit && inOpen(path, denied)) return decision;
    if (isMasked(path, stats)) return { ...decision, access: "deny" };
    const isGranted = decision.access === "none" && granted.some((root) => isWithin(path, root));
    return isGranted ? { access: "write" } : decision;
  };
  return {
    mayRead(path, descriptor) {
      const { access: decided } = decide(path, descriptor);
      return decided === "read" || decided === "write";
    },
    isDenied: (path, descriptor) =>
      decide(path, descriptor).access === "deny" || isDeniedName(path, access),
  };
}

/** A link at the end of a path may be denied itself. */
function isDeniedName(path: string, access: RuleAccess): boolean {
  const folder = realPlaceOf(dirname(resolve(path)));
  return folder !== undefined && access.of(join(folder, basename(path))).access === "deny";
}

function inOpen(path: string, { open }: Denied): boolean {
  return open.some((directory) => isWithin(path, directory));
}

function hasKey(place: string, identities: ReadonlySet<string>): boolean {
  return keyOf(entryAt(place)).some((key) => identities.has(key));
}

function keyOf(stats: Stats | undefined): string[] {
  return stats === undefined ? [] : [`${stats.dev} ${stats.ino}`];
}

/** The system knows the path of an open file; elsewhere it is resolved again. */
function openedPath(
  named: string,
  descriptor: number | undefined,
  platform: NodeJS.Platform,
): string {
  const absolute = resolve(named);
  if (descriptor !== undefined && platform === "linux") {
    const path = readlinkSync(`/proc/self/fd/${descriptor}`);
    if (!path.endsWith(" (deleted)")) return path;
  }
  return realPathOf(absolute) ?? realPlaceOf(absolute) ?? absolute;
}
