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
import { errorCode } from "../lib/errors.js";
import {
  type BubblewrapPlan,
  bubblewrapDescriptors,
  bubblewrapOptions,
  type Mount,
  optionBytes,
} from "./bubblewrap.js";
import type { LaunchDescriptor } from "./launch.js";

/** Options for `openBubblewrapCall`. */
interface CallOptions {
  plan: BubblewrapPlan;
  argv: readonly string[];
  /** The seccomp program. */
  filter: Buffer;
  /** Passes writable mounts by descriptor. */
  bindsDescriptors: boolean;
  /** Directories for temporary files that commands cannot reach. */
  dataDirectories: readonly string[];
  /** Passes a channel to this process as the descriptor `rest`. */
  channel?: boolean;
}

/** A call of bubblewrap with its descriptors open. */
export interface BubblewrapCall {
  args: string[];
  /** Descriptors to pass as 3, 4 and so on. */
  descriptors: readonly LaunchDescriptor[];
  /** Closes the descriptors that only the child needs. */
  closeInputs(): void;
  /** Reads the status report while the command runs. */
  peekStatus(): string;
  /** Reads the status report of bubblewrap and closes the remaining descriptors. */
  readStatus(): string;
}

/**
 * Opens the files and directories for a call of bubblewrap.
 *
 * Options are passed by descriptor, so that their length is not limited and the environment in them
 * does not appear in the process list. If a directory was replaced, closes everything and throws.
 */
export function openBubblewrapCall(options: CallOptions): BubblewrapCall {
  const inputs: number[] = [];
  const closeInputs = () => {
    for (const descriptor of inputs.splice(0)) closeQuietly(descriptor);
  };
  try {
    const rest: LaunchDescriptor[] = options.channel === true ? ["ipc"] : [];
    const mounts = options.plan.mounts.map((mount): Mount => {
      if (mount.as !== "write" || !options.bindsDescriptors) return mount;
      const descriptor = openExactly(mount.path);
      inputs.push(descriptor);
      rest.push(descriptor);
      return { ...mount, descriptor: bubblewrapDescriptors.rest + rest.length - 1 };
    });
    const open = (content: Uint8Array) => openDataFile(content, options.dataDirectories);
    const text = open(optionBytes(bubblewrapOptions({ ...options.plan, mounts })));
    inputs.push(text);
    const filter = open(options.filter);
    inputs.push(filter);
    const status = open(new Uint8Array());
    return {
      args: ["--args", String(bubblewrapDescriptors.options), "--", ...options.argv],
      descriptors: [text, filter, status, ...rest],
      closeInputs,
      peekStatus: () => readDataFile(status),
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

/** Opens a path without access to its content; not in Node's `constants`. */
const O_PATH = 0o10000000;

/** Opens a path without following links in any part: a link put there after the lookup is detected. */
function openExactly(path: string): number {
  const descriptor = openSync(path, O_PATH | constants.O_NOFOLLOW);
  const isLink = fstatSync(descriptor).isSymbolicLink();
  if (!isLink && readlinkSync(`/proc/self/fd/${descriptor}`) === path) return descriptor;
  closeQuietly(descriptor);
  throw new Error(`${path} was replaced while the command was being prepared`);
}

/**
 * Opens an unlinked file with this content, positioned at its beginning.
 *
 * The file has a name for a moment, so commands must not reach the directories: a command that
 * changed the filter of the next one would escape its sandbox. Throws if no directory is writable.
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

/** Reads the whole content of such a file. */
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

/** Closes a descriptor that may already be closed. */
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
  // Written at an offset, so that the file position stays at the beginning.
  for (let written = 0; written < content.length; ) {
    written += writeSync(descriptor, content, written, content.length - written, written);
  }
  return descriptor;
}
