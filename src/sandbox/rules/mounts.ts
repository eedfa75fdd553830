import type { Mount } from "../bubblewrap.js";
import { ancestors, entryAt, isWithin } from "../paths.js";
import type { RuledFiles } from "./rule-files.js";

/**
 * Returns the mounts of a command under rules: those of its writable roots and protections as far as
 * the rules permit them, readable trees, and masks on everything denied.
 */
export function ruledMounts(files: RuledFiles, plain: readonly Mount[]): Mount[] {
  const readable = readableMounts(files);
  const pins = pinsOf(files).map((path): Mount => ({ as: "write", path }));
  const shown = shownPart(files, [...plain, ...readable]);
  const kept = [...pins, ...plain, ...readable].filter(({ path }) => shown(path));
  const unique = new Map(kept.map((mount) => [mount.path, mount]));
  return [...unique.values(), ...links(files), ...masks(files).filter(({ path }) => shown(path))];
}

/** Trees that are only readable: without a rule for the root, or inside a writable or denied one. */
function readableMounts({ root, readOnly, system, denied, access, roots }: RuledFiles): Mount[] {
  const inDenied = (path: string) => denied.open.some((directory) => isWithin(path, directory));
  const inRoot = (path: string) => roots.some((one) => isWithin(path, one.path));
  const wanted = readOnly.filter(
    (path) => entryAt(path) !== undefined && (root !== "read" || inDenied(path)) && !inRoot(path),
  );
  const reads = wanted.map((path): Mount => ({ as: "read", path }));
  // In an open denied directory also what may be written, if there is no confinement.
  const writes = access.paths
    .filter(({ path }) => inDenied(path) && access.of(path).access === "write" && !inRoot(path))
    .filter(({ path }) => entryAt(path) !== undefined)
    .map(({ path }): Mount => ({ as: "write", path }));
  if (root !== "nothing") return [...reads, ...writes];
  return [...system.paths.map((path): Mount => ({ as: "read", path })), ...reads, ...writes];
}

function links({ root, system }: RuledFiles): Mount[] {
  if (root !== "nothing") return [];
  return system.links.map(({ path, target }): Mount => ({ as: "link", path, target }));
}

function masks({ denied, masks: { file, directory, missing } }: RuledFiles): Mount[] {
  return [
    ...denied.held.map((path): Mount => {
      const isDirectory = entryAt(path)?.isDirectory() === true;
      return isDirectory ? { as: "empty", path } : { as: "mask", path, source: missing };
    }),
    ...denied.open.map((path): Mount => ({ as: "gate", path })),
    ...denied.files.map((path): Mount => ({ as: "mask", path, source: file })),
    ...denied.directories.map((path): Mount => ({ as: "mask", path, source: directory })),
  ];
}

/**
 * Returns a function that is true for paths that exist in the sandbox: mounting anywhere else would
 * create directories, or fail.
 */
function shownPart(
  { root, access, denied }: RuledFiles,
  trees: readonly Mount[],
): (path: string) => boolean {
  const mounted = trees.filter(({ as }) => as === "read" || as === "write");
  const masked = new Set([...denied.directories]);
  return (path) => {
    if (
      ancestors(path)
        .slice(1)
        .some((parent) => masked.has(parent))
    )
      return false;
    const isDenied = access.of(path).access === "deny";
    const isInDenied = isDenied && access.of(path).place !== path;
    if (isInDenied && !denied.files.includes(path) && !masked.has(path)) return false;
    return root !== "nothing" || mounted.some((tree) => isWithin(path, tree.path));
  };
}

/**
 * Returns the directories that must not be moved, so that the path of a denied file stays the same.
 * In writable roots these are among the pins of the confinement.
 */
function pinsOf({ denied, root }: RuledFiles): string[] {
  if (root !== "write") return [];
  const paths = [...denied.files, ...denied.directories, ...denied.open, ...denied.held];
  const parents = new Set(paths.flatMap((path) => ancestors(path).slice(1)));
  return [...parents].filter((path) => path !== "/" && entryAt(path)?.isDirectory() === true);
}
