import { join } from "node:path";
import type {
  FileAccess,
  FileRule,
  NetworkRules,
  PermissionRules,
  RulePlace,
} from "../../protocol/permission-rules.js";
import { deniedIn } from "../../protocol/rules-of-policy.js";

/** Paths that special places stand for, to compare them with others. */
export interface PlacePaths {
  cwd: string;
  tmpdir: string | undefined;
}

/**
 * Returns rules that allow only what both allow; the name is that of `own`, if it has one.
 *
 * A project's profile is applied to the user's in this way: it can deny more, never allow more.
 */
export function intersectRules(
  own: PermissionRules,
  other: PermissionRules,
  paths: PlacePaths,
): PermissionRules {
  const [a, b] = [own, other].map((rules) => filesOf(rules)) as [FileRule[], FileRule[]];
  const places = new Map([...a, ...b].map((rule) => [JSON.stringify(rule.place), rule]));
  const files = [...places.values()].flatMap((rule): FileRule[] => {
    const both = [a, b].map((rules) => accessAt(rule.place, rules, paths));
    const access = order.find((one) => both.includes(one));
    if (access === undefined || access === "none") return [];
    return [{ ...rule, access }];
  });
  const isOpen = own.base === "unrestricted" && other.base === "unrestricted";
  const named = own.id === undefined ? other : own;
  return {
    ...(named.id === undefined ? {} : { id: named.id }),
    ...(named.extends === undefined ? {} : { extends: named.extends }),
    base: isOpen ? "unrestricted" : "restricted",
    files: isOpen ? files.filter(({ access }) => access === "deny") : files,
    network: intersectNetwork(own.network, other.network),
    workspaceRoots: own.workspaceRoots,
    ...depthOf(own.globScanMaxDepth, other.globScanMaxDepth),
  };
}

/** From the strictest on; without any rule a file is not accessible, but that is no denial. */
const order = ["deny", "none", "read", "write"] as const;

/** Returns the rules of files, with full access as a rule, and denials in workspace roots by path. */
function filesOf(rules: PermissionRules): readonly FileRule[] {
  const { base, files } = rules;
  const all = [...files, ...deniedIn(rules).filter((rule) => !files.includes(rule))];
  if (base === "restricted") return all;
  return [{ place: { type: "special", name: "root" }, access: "write" }, ...all];
}

/** Returns the access that rules give to a place: that of the most specific rule around it. */
function accessAt(
  place: RulePlace,
  rules: readonly FileRule[],
  paths: PlacePaths,
): FileAccess | "none" {
  // Only denials have globs, and they hold on both sides.
  if (place.type === "glob") return hasPlace(place, rules) ? "deny" : "write";
  const at = pathOf(place, paths);
  let best: { access: FileAccess; length: number } | undefined;
  for (const { place: around, access } of rules) {
    if (around.type === "glob") continue;
    const path = pathOf(around, paths);
    const covers = at === path || at.startsWith(path === "/" ? path : `${path}/`);
    if (covers && path.length >= (best?.length ?? 0)) best = { access, length: path.length };
  }
  return best?.access ?? "none";
}

function hasPlace(place: RulePlace, rules: readonly FileRule[]): boolean {
  const id = JSON.stringify(place);
  return rules.some((rule) => JSON.stringify(rule.place) === id);
}

function pathOf(place: Exclude<RulePlace, { type: "glob" }>, { cwd, tmpdir }: PlacePaths): string {
  if (place.type === "path") return place.path;
  const roots = {
    root: "/",
    // No path: it is below `:root` and nothing else.
    minimal: "/:minimal",
    workspace_roots: cwd,
    tmpdir: tmpdir ?? "/tmp",
    slash_tmp: "/tmp",
  };
  return join(roots[place.name], place.subpath ?? "");
}

/** A domain is allowed if both allow it; denials of either hold. */
function intersectNetwork(own: NetworkRules, other: NetworkRules): NetworkRules {
  const enabled = own.enabled && other.enabled;
  const origins = { ...other.origins, ...own.origins };
  const known = {
    ...(own.localAddresses && other.localAddresses && { localAddresses: true }),
    ...([own.mode, other.mode].includes("limited") && { mode: "limited" as const }),
    ...([own.socks5, other.socks5].includes(false) && { socks5: false }),
    ...(Object.keys(origins).length > 0 && { origins }),
  };
  if (own.domains === undefined && other.domains === undefined) return { enabled, ...known };
  const lists = [own.domains ?? {}, other.domains ?? {}];
  const allowLists = lists.filter((list) => Object.values(list).includes("allow"));
  const domains: Record<string, "allow" | "deny"> = {};
  for (const [pattern, access] of lists.flatMap((list) => Object.entries(list))) {
    const isAllowed = allowLists.every((list) => list[pattern] === "allow");
    if (access === "deny") domains[pattern] = "deny";
    else if (isAllowed) domains[pattern] ??= "allow";
  }
  // Two lists without a common domain allow none.
  const isEmpty = allowLists.length > 1 && !Object.values(domains).includes("allow");
  return { enabled: enabled && !isEmpty, domains, ...known };
}

function depthOf(...depths: readonly (number | undefined)[]): { globScanMaxDepth?: number } {
  const known = depths.filter((depth) => depth !== undefined);
  return known.length === 0 ? {} : { globScanMaxDepth: Math.max(...known) };
}
