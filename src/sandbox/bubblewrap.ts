import { realpathSync } from "node:fs";
import type { Confinement } from "./confinement.js";
import { depthOf, entryAt, isWithin } from "./paths.js";
import { isEmptyDirectory, type PlaceholderState } from "./placeholders.js";

/** One change to the file system of a command, which is otherwise that of the host, read-only. */
export type Mount =
  /** Writable; a descriptor pins the directory, so that it cannot be replaced. */
  | { as: "write"; path: string; descriptor?: number }
  | { as: "read"; path: string }
  /** An empty read-only directory. */
  | { as: "empty"; path: string }
  /** An unreadable file. */
  | { as: "hidden"; path: string }
  /** Something else in place of a denied file or directory. */
  | { as: "mask"; path: string; source: string }
  /** A directory that can be entered but not listed, for mounts inside it. */
  | { as: "gate"; path: string }
  | { as: "link"; path: string; target: string };

/** File system and environment of a command. */
export interface BubblewrapPlan {
  /** The file system that mounts change: the host's, read-only by default, or none at all. */
  root?: "read" | "write" | "nothing";
  mounts: readonly Mount[];
  network: boolean;
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** Detaches the command from our terminal; false if it has its own terminal. */
  newSession: boolean;
  /** If false, the host's /proc is mounted read-only, since the system does not allow a new one. */
  freshProc: boolean;
}

/** Descriptor numbers passed to bubblewrap. */
export const bubblewrapDescriptors = { options: 3, filter: 4, status: 5, rest: 6 } as const;

/**
 * Returns the options of bubblewrap for a plan, without the command.
 *
 * Shallow mounts come first: a later mount wins if two overlap. The environment is set inside and
 * not passed to bubblewrap itself, whose loader would apply it outside of the sandbox.
 */
export function bubblewrapOptions(plan: BubblewrapPlan): string[] {
  return [
    ...(plan.newSession ? ["--new-session"] : []),
    "--die-with-parent",
    ...["--unshare-user", "--unshare-pid"],
    ...(plan.root === "write" ? [] : ["--unshare-ipc", "--unshare-uts"]),
    ...(plan.network ? [] : ["--unshare-net"]),
    ...rootOptions(plan.root ?? "read"),
    ...procOptions(plan.freshProc),
    ...[...plan.mounts].sort(shallowFirst).flatMap(mountOptions),
    ...closingOptions(plan),
    ...["--cap-drop", "ALL"],
    ...[
      "--clearenv",
      ...Object.entries(plan.env).flatMap(([key, value]) => ["--setenv", key, value]),
    ],
    ...["--chdir", plan.cwd],
    ...["--seccomp", String(bubblewrapDescriptors.filter)],
    ...["--json-status-fd", String(bubblewrapDescriptors.status)],
  ];
}

/** Encodes options for `--args`. Throws if an option contains NUL or there are too many. */
export function optionBytes(options: readonly string[]): Buffer {
  const broken = options.find((option) => option.includes("\0"));
  if (broken !== undefined) throw new Error(`${JSON.stringify(broken)} contains a NUL character`);
  if (options.length > mostOptions) {
    throw new Error("there are too many writable roots for bubblewrap");
  }
  return Buffer.from(options.map((option) => `${option}\0`).join(""));
}

/** Bubblewrap stops at 9000; the rest is for the command. */
const mostOptions = 8000;

function rootOptions(root: "read" | "write" | "nothing"): string[] {
  if (root === "read") return ["--ro-bind", "/", "/", "--dev", "/dev"];
  if (root === "nothing") return ["--dev", "/dev"];
  // Disks and kernel settings would be ways around a denied path for user 0.
  const shared = ["--bind-try", "/dev/shm", "/dev/shm", "--ro-bind-try", "/sys", "/sys"];
  return ["--bind", "/", "/", "--dev", "/dev", ...shared];
}

/** Makes directories read-only that exist only in the sandbox, once all mounts in them exist. */
function closingOptions({ root, mounts }: BubblewrapPlan): string[] {
  const gates = mounts.filter(({ as }) => as === "gate").map(({ path }) => path);
  return (root === "nothing" ? [...gates, "/"] : gates).flatMap((path) => ["--remount-ro", path]);
}

/** Even without capabilities, user 0 could write kernel settings through a new /proc. */
function procOptions(freshProc: boolean): string[] {
  if (!freshProc) return ["--ro-bind", "/proc", "/proc"];
  return ["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"];
}

function mountOptions(mount: Mount): string[] {
  if (mount.as === "read") return ["--ro-bind", mount.path, mount.path];
  // A device on a `nodev` mount: opening it fails, even for user 0.
  if (mount.as === "hidden") return ["--ro-bind", "/dev/null", mount.path];
  if (mount.as === "empty") return ["--perms", "0555", "--tmpfs", mount.path];
  if (mount.as === "mask") return ["--ro-bind", mount.source, mount.path];
  if (mount.as === "gate") return ["--perms", "0111", "--tmpfs", mount.path];
  if (mount.as === "link") return ["--symlink", mount.target, mount.path];
  if (mount.descriptor === undefined) return ["--bind", mount.path, mount.path];
  return ["--bind-fd", String(mount.descriptor), mount.path];
}

/**
 * Bubblewrap reads the mount table again for every bind, so empty mounts and masks, which only
 * lengthen it, come last. No mount is ever inside one of these.
 */
function shallowFirst(left: Mount, right: Mount): number {
  return isEmpty(left) - isEmpty(right) || depthOf(left.path) - depthOf(right.path);
}

function isEmpty(mount: Mount): number {
  return mount.as === "empty" || mount.as === "mask" ? 1 : 0;
}

/** Options for `mountsFor`. */
interface MountSources {
  confinement: Pick<Confinement, "roots" | "readOnly" | "pins">;
  /** Placeholders for paths that must not be created. */
  placeholders: ReadonlyMap<string, PlaceholderState>;
  /** Directories to show empty. */
  masked: readonly string[];
  /** Files to make unreadable. */
  hidden?: readonly string[];
  /** Passes directories by descriptor. */
  bindsDescriptors: boolean;
}

/** Returns the mounts that make exactly the permitted paths writable. Throws if a root was moved. */
export function mountsFor(sources: MountSources): Mount[] {
  const { placeholders, masked, hidden = [], bindsDescriptors } = sources;
  const { roots, readOnly, pins } = sources.confinement;
  const paths = roots.map(({ path }) => path);
  const writable = bindsDescriptors
    ? [...paths, ...pins]
    : paths.filter((path) => isOutermost(path, paths) || isInside(path, readOnly)).map(unmoved);
  const inState = (wanted: PlaceholderState) =>
    [...placeholders].filter(([, state]) => state === wanted).map(([path]) => path);
  // An empty directory of another program may be removed at any moment; binding it would fail then.
  const [empty, real] = partition(inState("real"), isEmptyDirectory);
  const [files, directories] = partition(
    inState("held"),
    (path) => entryAt(path)?.isFile() === true,
  );
  return [
    ...writable.map((path): Mount => ({ as: "write", path })),
    ...[...readOnly, ...real, ...files].map((path): Mount => ({ as: "read", path })),
    ...hidden.map((path): Mount => ({ as: "hidden", path })),
    ...[...directories, ...empty, ...masked].map((path): Mount => ({ as: "empty", path })),
  ];
}

function partition<T>(values: readonly T[], fits: (value: T) => boolean): [T[], T[]] {
  return [values.filter(fits), values.filter((value) => !fits(value))];
}

/**
 * A path inside another root is writable without its own mount. Bound by name, a concurrent command
 * could turn it into a link to anywhere.
 */
function isOutermost(path: string, roots: readonly string[]): boolean {
  return !roots.some((root) => root !== path && isWithin(path, root));
}

function isInside(path: string, directories: readonly string[]): boolean {
  return directories.some((directory) => isWithin(path, directory));
}

function unmoved(path: string): string {
  if (realpathSync(path) !== path)
    throw new Error(`${path} was replaced while the command was being prepared`);
  return path;
}
