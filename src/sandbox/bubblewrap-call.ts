import { constants, fstatSync, openSync, readlinkSync } from "node:fs";
import {
  type BubblewrapPlan,
  bubblewrapDescriptors,
  bubblewrapOptions,
  type Mount,
  optionBytes,
} from "./bubblewrap.js";
import { closeQuietly, openDataFile, readDataFile } from "./data-file.js";

/** What a call of bubblewrap is made from. */
export interface CallOptions {
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
