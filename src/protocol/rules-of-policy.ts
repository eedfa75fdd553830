import type { FileRule, NetworkRules, PermissionRules, RulePlace } from "./permission-rules.js";
import type { SandboxPolicy } from "./types.js";

/** Returns the rules that a sandbox policy stands for. */
export function rulesOfPolicy(policy: SandboxPolicy): PermissionRules {
  const place = (
    name: "root" | "workspace_roots" | "tmpdir" | "slash_tmp",
    access: "read" | "write",
  ) => ({ place: { type: "special", name }, access, origin: policy.mode }) as const;
  const restricted = {
    base: "restricted",
    workspaceRoots: [],
    network: { enabled: false },
  } as const;
  switch (policy.mode) {
    case "read-only":
      return { ...restricted, files: [place("root", "read")] };
    case "workspace-write":
      return {
        ...restricted,
        files: [
          place("root", "read"),
          place("workspace_roots", "write"),
          ...(policy.exclude_slash_tmp === true ? [] : [place("slash_tmp", "write")]),
          ...(policy.exclude_tmpdir_env_var === true ? [] : [place("tmpdir", "write")]),
        ],
        network: { enabled: policy.network_access === true },
        workspaceRoots: policy.writable_roots ?? [],
      };
    default:
      return { base: "unrestricted", files: [], network: { enabled: true }, workspaceRoots: [] };
  }
}

/**
 * Returns the rules that deny something; they hold for commands outside of the sandbox too.
 *
 * What they deny in further workspace roots, they also deny by path: rules that they are added to may
 * have other roots.
 */
export function deniedIn(rules: PermissionRules | undefined): readonly FileRule[] {
  const denied = rules?.files.filter(({ access }) => access === "deny") ?? [];
  const roots = rules?.workspaceRoots ?? [];
  return roots.length === 0 ? denied : [...denied, ...boundTo(roots, denied.filter(isRelative))];
}

/** Returns rules that do not depend on the workspace roots: those of given roots, as paths. */
export function boundTo(roots: readonly string[], files: readonly FileRule[]): FileRule[] {
  return files.flatMap((rule) =>
    isRelative(rule)
      ? roots.map((root) => ({ ...rule, place: placeIn(root, rule.place) }))
      : [rule],
  );
}

function isRelative({ place }: FileRule): boolean {
  if (place.type === "glob") return place.root === undefined && !place.pattern.startsWith("/");
  return place.type === "special" && place.name === "workspace_roots";
}

function placeIn(root: string, place: RulePlace): RulePlace {
  if (place.type === "glob") return { ...place, root };
  const subpath = place.type === "special" ? place.subpath : undefined;
  return { type: "path", path: subpath === undefined ? root : `${root}/${subpath}` };
}

/** Adds denials to rules: they win over the others for the same place. */
export function withDenied(rules: PermissionRules, denied: readonly FileRule[]): PermissionRules {
  const known = new Set(deniedIn(rules).map(({ place }) => JSON.stringify(place)));
  const more = denied.filter(({ place }) => {
    const id = JSON.stringify(place);
    return !known.has(id) && known.add(id);
  });
  return more.length === 0 ? rules : { ...rules, files: [...rules.files, ...more] };
}

/** Returns a sandbox policy that overrides a profile, with rules if the profile denies something. */
export function withDenials(
  policy: SandboxPolicy,
  profile: PermissionRules | undefined,
): { sandbox_policy: SandboxPolicy; permissions?: PermissionRules } {
  const denied = deniedIn(profile);
  if (denied.length === 0) return { sandbox_policy: policy };
  return { sandbox_policy: policy, permissions: withDenied(rulesOfPolicy(policy), denied) };
}

/**
 * Returns the rules of a command that may leave the sandbox: denials remain, with what other rules
 * permit below denied places; undefined if nothing is denied.
 */
export function rulesOutside(rules: PermissionRules | undefined): PermissionRules | undefined {
  const domains = rules && deniedDomains(rules.network);
  const denies = deniedIn(rules).length > 0;
  if (rules === undefined || (!denies && domains === undefined)) return undefined;
  const network = { enabled: true, ...(domains && { domains }) };
  return { ...rules, base: "unrestricted", files: denies ? rules.files : [], network };
}

function deniedDomains({ domains = {} }: NetworkRules): NetworkRules["domains"] {
  const denied = Object.entries(domains).filter(([, access]) => access === "deny");
  return denied.length === 0 ? undefined : Object.fromEntries(denied);
}

/** Returns true for a profile that permits writing everywhere, whatever it denies. */
export function isUnlimited(rules: PermissionRules | undefined): boolean {
  if (rules?.id === undefined) return false;
  return rules.base === "unrestricted" || accessToRoot(rules) === "write";
}

function accessToRoot({ files }: PermissionRules): FileRule["access"] | undefined {
  return files.findLast(({ place }) =>
    place.type === "path"
      ? place.path === "/"
      : place.type === "special" && place.name === "root" && place.subpath === undefined,
  )?.access;
}

/**
 * Returns the sandbox policy nearest to rules, for clients and logs that know only policies.
 *
 * It allows no writing that the rules forbid, except below places that they deny.
 */
export function nearestPolicy(rules: PermissionRules, cwd: string): SandboxPolicy {
  if (rules.base === "unrestricted" && deniedIn(rules).length === 0) {
    return { mode: "danger-full-access" };
  }
  const accessOf = (name: string) =>
    rules.files.findLast(
      ({ place }) => place.type === "special" && place.name === name && place.subpath === undefined,
    )?.access;
  const network_access = rules.network.enabled;
  if (rules.base === "unrestricted" || accessToRoot(rules) === "write") {
    const open = { exclude_tmpdir_env_var: true, exclude_slash_tmp: false };
    return { mode: "workspace-write", writable_roots: ["/"], network_access, ...open };
  }
  if (accessOf("workspace_roots") !== "write") return { mode: "read-only" };
  return {
    mode: "workspace-write",
    writable_roots: [...new Set([...rules.workspaceRoots, ...writablePaths(rules, cwd)])],
    network_access,
    exclude_tmpdir_env_var: accessOf("tmpdir") !== "write",
    exclude_slash_tmp: accessOf("slash_tmp") !== "write",
  };
}

function writablePaths({ files }: PermissionRules, cwd: string): string[] {
  return files.flatMap(({ place, access }) => {
    if (access !== "write") return [];
    if (place.type === "path") return [place.path];
    return place.type === "special" && place.subpath ? [`${cwd}/${place.subpath}`] : [];
  });
}
