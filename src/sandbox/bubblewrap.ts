import { realpathSync } from "node:fs";
import type { Confinement } from "./confinement.js";
import { depthOf, isWithin } from "./paths.js";
import { isEmptyDirectory, type PlaceholderState } from "./placeholders.js";

/** One change to the file system a command sees, which is otherwise the host's, read-only. */
export type Mount =
  /** Writable; a descriptor holds the very directory, so that nothing else can take its place. */
  | { as: "write"; path: string; descriptor?: number }
  | { as: "read"; path: string }
  /** An empty directory that cannot be written. */
  | { as: "empty"; path: string }
  /** A file that cannot be read. */
  | { as: "hidden"; path: string };

/** What a command sees of the host, and where in it it starts. */
export interface BubblewrapPlan {
  mounts: readonly Mount[];
  network: boolean;
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** Takes the command away from our terminal; off when it has a terminal of its own. */
  newSession: boolean;
  /** False: the host's /proc is shown read-only, since this place forbids a new one. */
  freshProc: boolean;
}

/** The numbers under which bubblewrap finds what it is given. */
export const bubblewrapDescriptors = { options: 3, filter: 4, status: 5, directories: 6 } as const;

/**
 * The options of bubblewrap for a plan, without the command.
 *
 * Shallow mounts come first: a later one wins where two overlap. The environment is set inside and not
 * given to bubblewrap itself, whose loader would obey it outside of the sandbox.
 */
export function bubblewrapOptions(plan: BubblewrapPlan): string[] {
  return [
    ...(plan.newSession ? ["--new-session"] : []),
    "--die-with-parent",
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts"],
    ...(plan.network ? [] : ["--unshare-net"]),
    ...["--ro-bind", "/", "/", "--dev", "/dev"],
    ...procOptions(plan.freshProc),
    ...[...plan.mounts].sort(shallowFirst).flatMap(mountOptions),
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

/** Options as bubblewrap reads them from a descriptor. Throws for what it could not tell apart. */
export function optionBytes(options: readonly string[]): Buffer {
  const broken = options.find((option) => option.includes("\0"));
  if (broken !== undefined) throw new Error(`${JSON.stringify(broken)} contains a NUL character`);
  if (options.length > mostOptions) {
    throw new Error("there are more writable roots than bubblewrap can take");
  }
  return Buffer.from(options.map((option) => `${option}\0`).join(""));
}

/** Bubblewrap stops at 9000; the rest is for the command. */
const mostOptions = 8000;

/** Without any right in it, user 0 could still write settings of the kernel through a new /proc. */
function procOptions(freshProc: boolean): string[] {
  if (!freshProc) return ["--ro-bind", "/proc", "/proc"];
  return ["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"];
}

function mountOptions(mount: Mount): string[] {
  if (mount.as === "read") return ["--ro-bind", mount.path, mount.path];
  // A device in a mount without devices: opening it is refused, also to user 0.
  if (mount.as === "hidden") return ["--ro-bind", "/dev/null", mount.path];
  if (mount.as === "empty") return ["--perms", "0555", "--tmpfs", mount.path];
  if (mount.descriptor === undefined) return ["--bind", mount.path, mount.path];
  return ["--bind-fd", String(mount.descriptor), mount.path];
}

/**
 * Every bind makes bubblewrap read the list of mounts anew, so what only lengthens it comes last. No
 * mount is ever inside an empty one.
 */
function shallowFirst(left: Mount, right: Mount): number {
  return isEmpty(left) - isEmpty(right) || depthOf(left.path) - depthOf(right.path);
}

function isEmpty(mount: Mount): number {
  return mount.as === "empty" ? 1 : 0;
}

/** What mounts are made from. */
interface MountSources {
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
