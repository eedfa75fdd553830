import { join } from "node:path";
import type { FileAccess, FileRule, PermissionRules } from "../../protocol/permission-rules.js";
import { ancestors, realPlaceOf } from "../paths.js";
import { type PathGlob, parseGlobs } from "./glob.js";

/** Access to a path; `none` if no rule permits or denies it. */
export interface Decision {
  access: FileAccess | "none";
  /** The deciding rule, and the path or its parent that the rule is for. */
  rule?: FileRule;
  place?: string;
}

/** Values that special places depend on. */
export interface RulePlaces {
  cwd: string;
  tmpdir?: string | undefined;
  platform: NodeJS.Platform;
  /** Real paths of the system files that commands need. */
  system: readonly string[];
}

/** A rule for one path; `path` is `named` with its links resolved. */
export interface PathRule {
  path: string;
  named: string;
  access: FileAccess;
  rule: FileRule;
}

/** A rule for a pattern. */
export interface GlobRule {
  glob: PathGlob;
  access: FileAccess;
  rule: FileRule;
  index: number;
}

/** A rule and its position: of two for one path the later one wins. */
interface OrderedRule {
  index: number;
  rule: FileRule;
}

/**
 * Decides the access to paths by rules.
 *
 * The rule of the nearest parent wins, and of several for the same path the last one. Paths passed
 * in must be real; links in the rules are resolved here.
 */
export class RuleAccess {
  readonly paths: PathRule[] = [];
  readonly globs: GlobRule[] = [];
  /** Real paths of the workspace roots. */
  readonly workspaceRoots: string[];
  readonly #isOpen: boolean;
  readonly #byPath = new Map<string, OrderedRule>();
  readonly #hasFinal: boolean;
  #count = 0;

  /** Throws if a pattern cannot be used. */
  constructor(rules: PermissionRules, places: RulePlaces) {
    this.#isOpen = rules.base === "unrestricted";
    this.#hasFinal = rules.files.some(({ isFinal }) => isFinal);
    this.workspaceRoots = [places.cwd, ...rules.workspaceRoots].map(realOrSame);
    for (const rule of withSystem(rules)) {
      const index = this.#count++;
      for (const named of pathsOf(rule, rules, places)) this.#addPath(named, { index, rule });
      for (const glob of globsOf(rule, this.workspaceRoots, places)) {
        // `DIR/**` and `{a,b}` name paths: these are protected before they exist, matches are not.
        if (glob.source === "") this.#addPath(glob.named, { index, rule });
        else this.globs.push({ glob, access: rule.access, rule, index });
      }
    }
  }

  /** Returns the access to a real path. */
  of(path: string): Decision {
    const places = ancestors(path);
    if (this.#hasFinal) {
      for (const place of places) {
        const rule = this.#finalAt(place);
        if (rule !== undefined) return { access: "deny", rule, place };
      }
    }
    for (const place of places) {
      const found = this.#ruleAt(place);
      if (found !== undefined) return this.#decide(found.rule, place);
    }
    return { access: this.#isOpen ? "write" : "none" };
  }

  /** Adds another path of a denied file, such as a former target of a link. */
  deny(path: string, rule: FileRule): void {
    this.paths.push({ path, named: path, access: "deny", rule });
    this.#byPath.set(path, { index: this.#count++, rule });
  }

  #addPath(named: string, ordered: OrderedRule): void {
    const { rule } = ordered;
    const isSystem = rule.place.type === "special" && rule.place.name === "minimal";
    const path = isSystem ? named : realOrSame(named);
    this.paths.push({ path, named, access: rule.access, rule });
    this.#byPath.set(named, ordered);
    this.#byPath.set(path, ordered);
  }

  #finalAt(place: string): FileRule | undefined {
    const found = this.paths.find(
      ({ path, named, rule }) => rule.isFinal && (path === place || named === place),
    );
    return (found ?? this.globs.find(({ glob, rule }) => rule.isFinal && glob.matches(place)))
      ?.rule;
  }

  #ruleAt(place: string): OrderedRule | undefined {
    const exact = this.#byPath.get(place);
    const glob = this.globs.findLast(({ glob }) => glob.matches(place));
    return (glob?.index ?? -1) > (exact?.index ?? -1) ? glob : exact;
  }

  #decide(rule: FileRule, place: string): Decision {
    // To deny everything means to permit only what other rules name; outside of the sandbox, nothing.
    if (rule.access === "deny" && place === "/") {
      return { access: this.#isOpen ? "write" : "none", rule, place };
    }
    const access = this.#isOpen && rule.access === "read" ? "write" : rule.access;
    return { access, rule, place };
  }
}

function realOrSame(path: string): string {
  return realPlaceOf(path) ?? path;
}

/** Without a rule for the root, commands could not even start: the system stays readable. */
function withSystem({ base, files }: PermissionRules): readonly FileRule[] {
  const readsAll = files.some(
    ({ place, access }) =>
      place.type === "special" && place.name === "root" && !place.subpath && access !== "deny",
  );
  if (base === "unrestricted" || readsAll) return files;
  const place = { type: "special", name: "minimal" } as const;
  return [{ place, access: "read", origin: "the system files that commands need" }, ...files];
}

function pathsOf({ place }: FileRule, rules: PermissionRules, places: RulePlaces): string[] {
  if (place.type === "glob") return [];
  if (place.type === "path") return [place.path];
  return specialPaths(place.name, rules, places).map((path) =>
    place.subpath === undefined ? path : join(path, place.subpath),
  );
}

function specialPaths(
  name: string,
  { workspaceRoots }: PermissionRules,
  { cwd, tmpdir, system }: RulePlaces,
): readonly string[] {
  if (name === "root") return ["/"];
  if (name === "minimal") return system;
  if (name === "workspace_roots") return [cwd, ...workspaceRoots];
  if (name === "slash_tmp") return ["/tmp"];
  return tmpdir ? [tmpdir] : [];
}

/** Patterns ignore case where file systems usually do. */
function globsOf(
  { place }: FileRule,
  roots: readonly string[],
  { platform }: RulePlaces,
): PathGlob[] {
  if (place.type !== "glob") return [];
  const { pattern, root: own } = place;
  const options = { anyCase: platform === "darwin", resolve: realOrSame };
  const under = own !== undefined ? [own] : pattern.startsWith("/") ? ["/"] : roots;
  return under.flatMap((root) => parseGlobs(pattern, root, options));
}
