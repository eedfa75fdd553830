import type { FileRule } from "../../protocol/permission-rules.js";
import type { SandboxPolicy } from "../../protocol/types.js";
import { checkValues } from "../check/check-values.js";
import { fileShape } from "../check/shape.generated.js";
import { placeOfKey } from "../permissions/profile-places.js";
import type { Profiles } from "../permissions/resolve-profile.js";
import type { RequirementsToml } from "../schema/requirements.js";
import { isTable } from "../toml/table.js";

/** Limits of the administrator on permission profiles. */
export interface ProfileLimits {
  /** Profiles of the administrator; they replace those of the same name. */
  readonly profiles: Profiles;
  /** Profile to use if none is selected. */
  readonly defaultProfile: string | undefined;
  /** Profile to use instead of one that is refused. */
  readonly fallbackProfile: string;
  /** Returns the reason for refusing a profile; undefined if it is permitted. */
  refusedProfile(name: string): string | undefined;
}

/** Returns the built-in profile that a sandbox mode stands for. */
export function profileOfMode(mode: SandboxPolicy["mode"]): string {
  if (mode === "workspace-write") return ":workspace";
  return mode === "read-only" ? ":read-only" : ":danger-full-access";
}

/** A mistake: its key and the reason. */
interface Problem {
  path: readonly string[];
  reason: string;
}

/** Returns the mistakes in the keys for permission profiles. */
export function permissionProblems(values: RequirementsToml): Problem[] {
  const { allowed_permission_profiles: allowed, default_permissions: name } = values;
  const { filesystem, ...profiles } = values.permissions ?? {};
  const problems = Object.entries(profiles).flatMap(([key, value]) => profileProblems(key, value));
  if (filesystem !== undefined) problems.push(...filesystemProblems(filesystem));
  if (allowed !== undefined && !Object.values(allowed).includes(true)) {
    const reason = "must permit at least one profile with `true`";
    problems.push({ path: ["allowed_permission_profiles"], reason });
  }
  if (name !== undefined && allowed !== undefined && allowed[name] !== true) {
    const reason = `is \`${name}\`, which \`allowed_permission_profiles\` does not permit`;
    problems.push({ path: ["default_permissions"], reason });
  }
  return problems;
}

function profileProblems(name: string, value: unknown): Problem[] {
  const path = ["permissions", name];
  if (name.startsWith(":")) {
    return [{ path, reason: "has a name that is reserved for built-in profiles" }];
  }
  if (!isTable(value)) return [{ path, reason: "must be a table" }];
  const { problems, unknown } = checkValues(value, fileShape.keys?.permissions?.entries ?? {});
  return [
    ...problems.map(({ path: inner, expected, got }) => ({
      path: [...path, ...inner],
      reason: `must be ${expected}, not ${got}`,
    })),
    ...unknown.map((inner) => ({ path: [...path, ...inner], reason: "is an unknown key" })),
  ];
}

function filesystemProblems(filesystem: unknown): Problem[] {
  const path = ["permissions", "filesystem"];
  if (!isTable(filesystem)) return [{ path, reason: "must be a table with `deny_read`" }];
  const { deny_read: denied = [], ...others } = filesystem;
  const unknown = Object.keys(others).map((key) => ({
    path: [...path, key],
    reason: "is an unknown key (expected deny_read)",
  }));
  const at = [...path, "deny_read"];
  if (!Array.isArray(denied)) return [...unknown, { path: at, reason: "must be a list of paths" }];
  const wrong = denied.flatMap((entry: unknown) => {
    const isPlace = typeof entry === "string" && typeof placeOfKey(entry, "/") === "object";
    if (isPlace && !entry.startsWith(":") && entry !== "/") return [];
    const got = JSON.stringify(entry);
    return [
      { path: at, reason: `must have paths that are absolute or start with \`~/\`, not ${got}` },
    ];
  });
  return [...unknown, ...wrong];
}

/** Returns the profiles that requirements.toml defines. */
export function requiredProfiles({ permissions = {} }: RequirementsToml): Profiles {
  const { filesystem: _, ...profiles } = permissions;
  return profiles as Profiles;
}

/** Returns rules for `permissions.filesystem.deny_read`, which no other rule loosens. */
export function deniedFiles(
  { permissions }: RequirementsToml,
  { file, userHome }: { file: string; userHome: string },
): FileRule[] {
  const { deny_read: paths = [] } = (permissions?.filesystem ?? {}) as { deny_read?: string[] };
  const origin = `permissions.filesystem.deny_read in ${file}`;
  return paths.flatMap((path): FileRule[] => {
    const place = placeOfKey(path, userHome);
    if (typeof place === "string") return [];
    const rule = { access: "deny", origin, isFinal: true } as const;
    // A literal path may contain `[` or `{`.
    const isLiteral = place.type === "glob" && !/[*?]/.test(place.pattern);
    const literal = isLiteral
      ? [{ ...rule, place: { type: "path", path: place.pattern } as const }]
      : [];
    return [{ ...rule, place }, ...literal];
  });
}
