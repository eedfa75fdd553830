import { isAbsolute, resolve } from "node:path";
import type { PermissionProfile } from "../protocol/types.js";
import { isWithin, realPlaceOf } from "./paths.js";

/** Permissions with every member present, as reported to the model; `null` for none. */
export interface GrantedPermissions {
  network: { enabled: true } | null;
  file_system: { read?: string[]; write?: string[] } | null;
}

/**
 * Returns the part of the answered permissions that was also requested.
 *
 * A path may be narrower than the requested one, never wider. Links and `..` are resolved before
 * the comparison, and the resolved path is granted.
 */
export function intersectPermissions(
  asked: PermissionProfile,
  answered: PermissionProfile,
): GrantedPermissions {
  const both = asked.network?.enabled === true && answered.network?.enabled === true;
  const write = asked.file_system?.write ?? [];
  const files = {
    // Write access includes read access.
    ...listOf("read", within(answered.file_system?.read, [...readOf(asked), ...write])),
    ...listOf("write", within(answered.file_system?.write, write)),
  };
  return {
    network: both ? { enabled: true } : null,
    file_system: Object.keys(files).length === 0 ? null : files,
  };
}

/** No permissions. */
export const noPermissions: GrantedPermissions = { network: null, file_system: null };

function readOf({ file_system }: PermissionProfile): readonly string[] {
  return file_system?.read ?? [];
}

function within(paths: readonly string[] | null | undefined, asked: readonly string[]): string[] {
  const places = (paths ?? [])
    .filter((path) => isAbsolute(path))
    .flatMap((path) => realPlaceOf(resolve(path)) ?? []);
  return [...new Set(places)].filter((place) => asked.some((one) => isWithin(place, one)));
}

function listOf<Name extends string>(name: Name, paths: string[]): { [Key in Name]?: string[] } {
  return paths.length === 0 ? {} : ({ [name]: paths } as { [Key in Name]: string[] });
}
