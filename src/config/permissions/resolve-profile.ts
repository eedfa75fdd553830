import { join, resolve } from "node:path";
import { CodexError } from "../../protocol/error.js";
import type {
  FileAccess,
  FileRule,
  PermissionRules,
  RulePlace,
} from "../../protocol/permission-rules.js";
import type { FilesystemToml, PermissionProfileToml } from "../schema/permissions.js";
import { writeKey } from "../toml/key.js";
import { canNest, placeBelow, placeOfKey, subtreeOf } from "./profile-places.js";

/** Profiles by name, checked against the schema. */
export type Profiles = Readonly<Record<string, PermissionProfileToml>>;

/** Facts about the machine and the files that profiles come from. */
export interface ProfileContext {
  cwd: string;
  userHome: string;
  /** Position of a key as `file:line`, for errors. */
  placeOf(path: readonly string[]): string;
  /** File of a key, for explanations. */
  fileOf(path: readonly string[]): string | undefined;
}

/** Built-in profiles, in the order of lists. */
export const builtInProfiles: Profiles = {
  ":read-only": { filesystem: { ":root": "read" } },
  ":workspace": {
    filesystem: {
      ":root": "read",
      ":slash_tmp": "write",
      ":tmpdir": "write",
      ":workspace_roots": { ".": "write" },
    },
  },
  ":danger-full-access": { filesystem: { ":root": "write" }, network: { enabled: true } },
};

/**
 * Returns the rules of a profile with its parents applied.
 *
 * Throws if it or a parent does not exist, if it extends itself, or if it has a place that is not understood.
 */
export function resolveProfile(
  name: string,
  profiles: Profiles,
  context: ProfileContext,
): PermissionRules {
  const chain = chainOf(name, profiles, context);
  const entries = new Map<string, FileRule[]>();
  const domains: Record<string, "allow" | "deny"> = {};
  const origins: Record<string, string> = {};
  const roots = new Map<string, boolean>();
  let enabled = false;
  let depth: number | undefined;
  for (const one of chain.toReversed()) {
    const { filesystem = {}, network, workspace_roots = {} } = profileOf(one, profiles);
    for (const [key, own] of ownEntries(one, filesystem, context)) {
      entries.set(key, merged(entries.get(key), own));
    }
    const networkKey = ["permissions", one, "network"];
    if (network?.enabled !== undefined) {
      enabled = network.enabled;
      origins[`enabled = ${enabled}`] = originOf([...networkKey, "enabled"], context);
    }
    depth = filesystem.glob_scan_max_depth ?? depth;
    for (const [pattern, access] of Object.entries(network?.domains ?? {})) {
      const host = hostPattern(pattern, access, one, context);
      domains[host] = access;
      const line = `${JSON.stringify(host)} = "${access}"`;
      origins[line] = originOf([...networkKey, "domains", pattern], context);
    }
    for (const [path, isRoot] of Object.entries(workspace_roots)) {
      roots.set(rootPath(path, context), isRoot);
    }
  }
  const files = [...entries].toSorted(([a], [b]) => compare(a, b)).flatMap(([, rules]) => rules);
  const isOpen =
    chain.at(-1) === ":danger-full-access" && !files.some(({ access }) => access === "read");
  const parent = profileOf(name, profiles).extends;
  return {
    id: name,
    ...(parent === undefined ? {} : { extends: parent }),
    base: isOpen ? "unrestricted" : "restricted",
    files: isOpen ? files.filter(({ access }) => access === "deny") : files,
    network: {
      enabled,
      ...(Object.keys(domains).length === 0 ? {} : { domains }),
      ...(Object.keys(origins).length === 0 ? {} : { origins }),
    },
    workspaceRoots: [...roots].flatMap(([path, isRoot]) => (isRoot ? [path] : [])),
    ...(depth === undefined ? {} : { globScanMaxDepth: depth }),
  };
}

/** Checks all profiles, so that a mistake in one that is not selected is not passed over. */
export function checkProfiles(profiles: Profiles, context: ProfileContext): void {
  for (const name of Object.keys(profiles)) {
    if (name.startsWith(":")) {
      const text = "has a name that starts with `:`, which is reserved for built-in profiles";
      throw problem(["permissions", name], text, context);
    }
    resolveProfile(name, profiles, context);
  }
}

/** Returns the profile and its parents, the profile first. */
function chainOf(name: string, profiles: Profiles, context: ProfileContext): string[] {
  const chain: string[] = [];
  for (let at: string | undefined = name; at !== undefined; ) {
    if (chain.includes(at)) {
      const cycle = [...chain.slice(chain.indexOf(at)), at].join(" -> ");
      throw problem(["permissions", at, "extends"], `extends itself: ${cycle}`, context);
    }
    if (profileOf(at, profiles) === undefined) throw undefinedProfile(at, chain, profiles, context);
    chain.push(at);
    at = profileOf(at, profiles).extends;
  }
  return chain;
}

function profileOf(name: string, profiles: Profiles): PermissionProfileToml {
  const from = name.startsWith(":") ? builtInProfiles : profiles;
  return (Object.hasOwn(from, name) ? from[name] : undefined) as PermissionProfileToml;
}

function undefinedProfile(
  name: string,
  chain: readonly string[],
  profiles: Profiles,
  context: ProfileContext,
): CodexError {
  const child = chain.at(-1);
  const path = child === undefined ? ["default_permissions"] : ["permissions", child, "extends"];
  const known = [...Object.keys(builtInProfiles), ...Object.keys(profiles)].join(", ");
  const kind = name.startsWith(":") ? "an unknown built-in profile" : "an undefined profile";
  return problem(path, `names ${kind}, \`${name}\` (expected one of ${known})`, context);
}

type FileEntry = FileAccess | "none" | Readonly<Record<string, FileAccess | "none">>;

/** Rules of one key of `filesystem`. */
interface OwnEntry {
  rules: FileRule[];
  isTable: boolean;
}

/** Returns the rules of one profile's own entries, by place, so that its spelling does not matter. */
function ownEntries(
  profile: string,
  filesystem: FilesystemToml,
  context: ProfileContext,
): Map<string, OwnEntry> {
  const { glob_scan_max_depth: _, ...entries } = filesystem;
  const found = new Map<string, OwnEntry>();
  for (const [key, value] of Object.entries(entries as Record<string, FileEntry>)) {
    const path = ["permissions", profile, "filesystem", key];
    const place = placeOfKey(key, context.userHome);
    if (typeof place === "string") throw problem(path, `must name ${place}`, context);
    const isTable = typeof value === "object";
    if (isTable && !canNest(place)) {
      const text = "must be `read`, `write` or `deny`: it cannot have paths below it";
      throw problem(path, text, context);
    }
    const rules = Object.entries(isTable ? value : { ".": value }).flatMap(([below, access]) => {
      const at = isTable ? [...path, below] : path;
      const named = placeBelow(place, below);
      if (typeof named === "string") throw problem(at, `must name ${named}`, context);
      return toRules(named, access === "none" ? "deny" : access, at, context);
    });
    const id = keyOf(place);
    if (found.has(id)) throw problem(path, "names a place that another key names too", context);
    found.set(id, { rules, isTable });
  }
  return found;
}

function keyOf(place: RulePlace): string {
  if (place.type === "special") return `:${place.name}`;
  return place.type === "path" ? place.path : place.pattern;
}

/** A literal path may contain `[` or `{`, so a denial by such a pattern also denies the path itself. */
function toRules(
  place: RulePlace,
  access: FileAccess,
  path: readonly string[],
  context: ProfileContext,
): FileRule[] {
  const origin = originOf(path, context);
  if (place.type !== "glob") return [{ place, access, origin }];
  if (access !== "deny") {
    const subtree = subtreeOf(place);
    if (subtree !== undefined) return [{ place: subtree, access, origin }];
    const text = `must be \`deny\`: a glob cannot have \`${access}\` access, except PATH/**`;
    throw problem(path, text, context);
  }
  if (/[*?]/.test(place.pattern)) return [{ place, access, origin }];
  const literal: RulePlace = place.pattern.startsWith("/")
    ? { type: "path", path: place.pattern }
    : { type: "special", name: "workspace_roots", subpath: place.pattern };
  return [
    { place, access, origin },
    { place: literal, access, origin },
  ];
}

function originOf(path: readonly string[], { fileOf }: ProfileContext): string {
  const [, profile = ""] = path;
  if (profile.startsWith(":")) return profile;
  const file = fileOf(path);
  return file === undefined ? writeKey(path) : `${writeKey(path)} in ${file}`;
}

/** A table adds to the parent's entry; a single access replaces it. */
function merged(parent: readonly FileRule[] = [], { rules, isTable }: OwnEntry): FileRule[] {
  const named = new Set(rules.map(({ place }) => JSON.stringify(place)));
  const kept = isTable ? parent.filter(({ place }) => !named.has(JSON.stringify(place))) : [];
  return [...kept, ...rules].toSorted((a, b) => compare(rank(a), rank(b)));
}

/** Globs first, then a place before those below it. */
function rank({ place }: FileRule): string {
  if (place.type === "glob") return `0${place.pattern}`;
  return place.type === "path" ? `1${place.path}` : `1${place.subpath ?? ""}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function rootPath(path: string, { cwd, userHome }: ProfileContext): string {
  if (path === "~" || path.startsWith("~/")) return join(userHome, path.slice(1));
  return resolve(cwd, path);
}

/** Returns a domain pattern in lower case; throws if it is none. */
function hostPattern(
  pattern: string,
  access: string,
  profile: string,
  context: ProfileContext,
): string {
  const host = pattern.toLowerCase().replace(/\.$/, "");
  const isHost = /^(\*{1,2}\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$|^\[?[0-9a-f:]+(:[0-9.]+)?\]?$/.test(
    host,
  );
  if (isHost || (host === "*" && access === "allow")) return host;
  const path = ["permissions", profile, "network", "domains", pattern];
  const expected = "`example.org`, `*.example.org`, `**.example.org`, or `*` with `allow`";
  throw problem(path, `must be a domain: ${expected}`, context);
}

function problem(path: readonly string[], text: string, { placeOf }: ProfileContext): CodexError {
  const place = placeOf(path);
  const [file, line] = /^(.*):(\d+)$/.exec(place)?.slice(1) ?? [place];
  return new CodexError("config", `${place}: \`${writeKey(path)}\` ${text}`, {
    data: { reason: "permissions", key: path, source: file, ...(line && { line: Number(line) }) },
  });
}
