import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import {
  type BubblewrapPlan,
  bubblewrapDescriptors,
  bubblewrapOptions,
  type Mount,
  optionBytes,
} from "./bubblewrap.js";
import { errorCode } from "./paths.js";

/** What a call of bubblewrap is made from. */
interface CallOptions {
  plan: BubblewrapPlan;
  argv: readonly string[];
  /** The seccomp program. */
  filter: Buffer;
  /** Writable mounts are given by descriptor. */
  bindsDescriptors: boolean;
  /** For short-lived files out of reach of commands. */
  dataDirectories: readonly string[];
}

/** A call of bubblewrap with its descriptors open. */
export interface BubblewrapCall {
  args: string[];
  /** To be passed on as 3, 4 and so on. */
  descriptors: readonly number[];
  /** Closes what only the child needs. */
  closeInputs(): void;
  /** Reads what bubblewrap reported, and closes the rest. */
  readStatus(): string;
}

/**
 * Opens all that a call of bubblewrap is given.
 *
 * Options go by descriptor: a line of any length fits, and the environment in them is not shown in
 * the list of processes. Throws, with everything closed, when a directory is not what it was.
 */
export function openBubblewrapCall(options: CallOptions): BubblewrapCall {
  const inputs: number[] = [];
  const closeInputs = () => {
    for (const descriptor of inputs.splice(0)) closeQuietly(descriptor);
  };
  try {
    const directories: number[] = [];
    const mounts = options.plan.mounts.map((mount): Mount => {
      if (mount.as !== "write" || !options.bindsDescriptors) return mount;
      const descriptor = openExactly(mount.path);
      inputs.push(descriptor);
      directories.push(descriptor);
      return { ...mount, descriptor: bubblewrapDescriptors.directories + directories.length - 1 };
    });
    const open = (content: Uint8Array) => openDataFile(content, options.dataDirectories);
    const text = open(optionBytes(bubblewrapOptions({ ...options.plan, mounts })));
    inputs.push(text);
    const filter = open(options.filter);
    inputs.push(filter);
    const status = open(new Uint8Array());
    return {
      args: ["--args", String(bubblewrapDescriptors.options), "--", ...options.argv],
      descriptors: [text, filter, status, ...directories],
      closeInputs,
      readStatus: () => {
        closeInputs();
        const report = readDataFile(status);
        closeQuietly(status);
        return report;
      },
    };
  } catch (error) {
    closeInputs();
    throw error;
  }
}

/** Names a place without opening what is there; Node has no name for it. */
const O_PATH = 0o10000000;

/** Opens a path of which no part may be a link: one put there since it was looked up is noticed. */
function openExactly(path: string): number {
  const descriptor = openSync(path, O_PATH | constants.O_NOFOLLOW);
  const isLink = fstatSync(descriptor).isSymbolicLink();
  if (!isLink && readlinkSync(`/proc/self/fd/${descriptor}`) === path) return descriptor;
  closeQuietly(descriptor);
  throw new Error(`${path} is not the directory it was`);
}

/**
 * Opens a nameless file with this content, read from its beginning by whoever gets the descriptor.
 *
 * The file has a name for a moment, so the directories must be out of reach of running commands: one
 * that changed the filter meant for the next would have got out. Throws when none can be written.
 */
function openDataFile(content: Uint8Array, directories: readonly string[]): number {
  let problem: unknown = new Error("there is no directory for temporary files");
  for (const directory of directories) {
    try {
      return openNameless(content, directory);
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}

/** All that was written to such a file. */
function readDataFile(descriptor: number): string {
  const parts: Buffer[] = [];
  for (let position = 0; ; ) {
    const buffer = Buffer.alloc(readSize);
    const size = readSync(descriptor, buffer, 0, readSize, position);
    if (size === 0) return Buffer.concat(parts).toString("utf8");
    parts.push(buffer.subarray(0, size));
    position += size;
  }
}

/** Closes a descriptor that may have been closed already. */
function closeQuietly(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch (error) {
    if (errorCode(error) !== "EBADF") throw error;
  }
}

const readSize = 4096;

function openNameless(content: Uint8Array, directory: string): number {
  const name = `quire-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const path = join(directory, name);
  const descriptor = openSync(path, "wx+", 0o600);
  unlinkSync(path);
  // Written at a place, not at the file's position, which stays at the beginning.
  for (let written = 0; written < content.length; ) {
    written += writeSync(descriptor, content, written, content.length - written, written);
  }
  return descriptor;
}
