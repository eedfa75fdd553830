import type {
  AdditionalFileSystemPermissions,
  FileSystemSandboxEntry,
  RequestPermissionProfile,
} from "./rpc/v2/permissions.js";

/**
 * Describes permissions to a person, one line for each.
 *
 * @internal
 */
export function permissionLines({ network, fileSystem }: RequestPermissionProfile): string[] {
  const lines = network?.enabled ? ["use the network"] : [];
  return [...new Set([...lines, ...(fileSystem == null ? [] : fileLines(fileSystem))])];
}

/** Servers send path lists, entries, or both; all of them are shown. */
function fileLines({ read, write, entries = [] }: AdditionalFileSystemPermissions): string[] {
  return [
    ...(write ?? []).map((path) => `write ${path}`),
    ...(read ?? []).map((path) => `read ${path}`),
    ...entries.map((entry) => `${accessWords[entry.access] ?? entry.access} ${placeOf(entry)}`),
  ];
}

const accessWords = { read: "read", write: "write", deny: "neither read nor write" } as const;

function placeOf({ path }: FileSystemSandboxEntry): string {
  if (path.type === "path") return path.path;
  if (path.type === "glob_pattern") return `everything like ${path.pattern}`;
  return JSON.stringify(path.type === "special" ? path.value : path);
}
