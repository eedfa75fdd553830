import { realpathSync } from "node:fs";
import type { Mount } from "./bubblewrap.js";
import type { Confinement } from "./confinement.js";
import { isWithin } from "./paths.js";
import { isEmptyDirectory, type PlaceholderState } from "./placeholders.js";

/** What mounts are made from. */
export interface MountSources {
  confinement: Pick<Confinement, "roots" | "readOnly" | "pins">;
  /** What stands where nothing may be made. */
  placeholders: ReadonlyMap<string, PlaceholderState>;
  /** Directories to be shown empty. */
  masked: readonly string[];
  /** Files that cannot be read. */
  hidden?: readonly string[];
  /** Directories are given by descriptor. */
  bindsDescriptors: boolean;
}

/** The mounts that make a command see what it may write, and no more. Throws for a root that moved. */
export function mountsFor(sources: MountSources): Mount[] {
  const { placeholders, masked, hidden = [], bindsDescriptors } = sources;
  const { roots, readOnly, pins } = sources.confinement;
  const paths = roots.map(({ path }) => path);
  const writable = bindsDescriptors
    ? [...paths, ...pins]
    : paths.filter((path) => isOutermost(path, paths) || isInside(path, readOnly)).map(unmoved);
  const inState = (wanted: PlaceholderState) =>
    [...placeholders].filter(([, state]) => state === wanted).map(([path]) => path);
  // An empty directory that is not ours may be removed at any moment, and could not be bound then.
  const [empty, real] = partition(inState("real"), isEmptyDirectory);
  return [
    ...writable.map((path): Mount => ({ as: "write", path })),
    ...[...readOnly, ...real].map((path): Mount => ({ as: "read", path })),
    ...hidden.map((path): Mount => ({ as: "hidden", path })),
    ...[...inState("held"), ...empty, ...masked].map((path): Mount => ({ as: "empty", path })),
  ];
}

function partition<T>(values: readonly T[], fits: (value: T) => boolean): [T[], T[]] {
  return [values.filter(fits), values.filter((value) => !fits(value))];
}

/**
 * What lies in another root is writable without a mount of its own. Bound by name it could be turned
 * into a link by a command that runs at the same time, and lead anywhere.
 */
function isOutermost(path: string, roots: readonly string[]): boolean {
  return !roots.some((root) => root !== path && isWithin(path, root));
}

function isInside(path: string, directories: readonly string[]): boolean {
  return directories.some((directory) => isWithin(path, directory));
}

function unmoved(path: string): string {
  if (realpathSync(path) !== path) throw new Error(`${path} is not the directory it was`);
  return path;
}
