import { isAbsolute, resolve } from "node:path";
import type { PermissionProfile } from "../protocol/types.js";
import { isWithin, realPlaceOf } from "./paths.js";

/** Permissions with every member said, as the model is told of them; `null` for none. */
export interface GrantedPermissions {
  network: { enabled: true } | null;
  file_system: { read?: string[]; write?: string[] } | null;
}

/**
 * What of an answer was also asked for.
 *
 * A place may be narrower than the one asked for, never wider. Links and `..` are followed before
 * anything is compared, and what is granted is the place they lead to.
 */
export function intersectPermissions(
  asked: PermissionProfile,
  answered: PermissionProfile,
): GrantedPermissions {
  const both = asked.network?.enabled === true && answered.network?.enabled === true;
  const write = asked.file_system?.write ?? [];
  const files = {
    // Who may write a place may read it.
    ...listOf("read", within(answered.file_system?.read, [...readOf(asked), ...write])),
    ...listOf("write", within(answered.file_system?.write, write)),
  };
  return {
    network: both ? { enabled: true } : null,
    file_system: Object.keys(files).length === 0 ? null : files,
  };
}

/** Nothing at all. */
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
