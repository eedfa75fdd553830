import { spawn } from "node:child_process";
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { CodexError } from "../protocol/error.js";
import { type BubblewrapCall, openBubblewrapCall } from "./bubblewrap-call.js";
import { parseStatus } from "./bubblewrap-launch.js";
import { explainBubblewrapFailure, sandboxUnavailable } from "./unavailable.js";

/** Features of a bubblewrap on this machine. */
export interface BubblewrapFeatures {
  /** Accepts directories by descriptor, so that a root cannot be replaced. */
  bindsDescriptors: boolean;
  /** Can mount a new /proc; many containers do not allow that. */
  freshProc: boolean;
}

/** A working bubblewrap. */
export interface Bubblewrap extends BubblewrapFeatures {
  path: string;
}

/** Options for `detectBubblewrap`. */
export interface DetectOptions {
  /** Candidate paths; the first one that exists is used. */
  places: readonly string[];
  /** The filter that commands will get, which must load too. */
  filter: Buffer;
  /** Time limit of a trial. */
  timeoutMs: number;
  /** Directories for temporary files that commands cannot reach. */
  dataDirectories: readonly string[];
}

/** Standard install locations. PATH is never searched: a command may have changed it. */
export const bubblewrapPlaces: readonly string[] = [
  "/usr/bin/bwrap",
  "/usr/local/bin/bwrap",
  "/bin/bwrap",
];

/** Finds bubblewrap and tries it with the real namespaces and the real filter. */
export async function detectBubblewrap(options: DetectOptions): Promise<Bubblewrap | CodexError> {
  const path = options.places.find((place) => statSync(place, { throwIfNoEntry: false }));
  if (path === undefined) {
    return sandboxUnavailable({
      cause: "bubblewrap is not installed",
      remedy: "Install it (apt install bubblewrap, dnf install bubblewrap)",
    });
  }
  if (!isOwnedByRoot(path)) {
    return sandboxUnavailable({
      cause: `${path} can be changed by others than root`,
      remedy: "Install bubblewrap from the distribution",
    });
  }
  const features = { bindsDescriptors: true, freshProc: true };
  let timeoutMs = options.timeoutMs;
  for (;;) {
    const problem = await tryOut({ path, ...features }, { ...options, timeoutMs });
    if (problem === undefined) return { path, ...features };
    if (problem.includes(noAnswer) && timeoutMs < options.timeoutMs * longestTrial) {
      // A busy machine gets a second, longer try: without bubblewrap no command can run.
      timeoutMs *= 4;
    } else if (features.bindsDescriptors && problem.includes("--bind-fd")) {
      features.bindsDescriptors = false;
    } else if (features.freshProc && /mount(ing)? proc/i.test(problem)) {
      features.freshProc = false;
    } else {
      return sandboxUnavailable(explainBubblewrapFailure(problem));
    }
  }
}

/** Returns true if the trial timed out on a busy machine; it may succeed later. */
export function wasTooBusy(error: CodexError): boolean {
  return String(error.data?.cause).includes(noAnswer);
}

const noAnswer = "gave no answer";

/** Longest trial, as a multiple of the expected time. */
const longestTrial = 4;

/** Owner that a user namespace shows for all ids outside of it. */
const overflowUid = 65534;

/**
 * Returns true if only root can change a program: anyone else who could would be able to leave the
 * sandbox.
 */
export function isOwnedByRoot(path: string): boolean {
  const real = realpathSync(path);
  const { uid, mode } = statSync(real);
  const byRoot = uid === 0 || (uid === overflowUid && !isWritable(real));
  return byRoot && (mode & 0o022) === 0;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Runs bubblewrap inside itself; returns its error output if that failed. */
async function tryOut(bubblewrap: Bubblewrap, options: DetectOptions): Promise<string | undefined> {
  const call = openBubblewrapCall({
    plan: {
      mounts: [
        { as: "write", path: dirname(realpathSync(bubblewrap.path)) },
        { as: "empty", path: "/dev/shm" },
      ],
      network: false,
      cwd: "/",
      env: {},
      newSession: true,
      freshProc: bubblewrap.freshProc,
    },
    argv: [bubblewrap.path, "--version"],
    filter: options.filter,
    bindsDescriptors: bubblewrap.bindsDescriptors,
    dataDirectories: options.dataDirectories,
  });
  const stderr = await collectStderr(bubblewrap.path, call, options.timeoutMs);
  const status = parseStatus(call.readStatus());
  return status.exitCode === 0 ? undefined : stderr;
}

function collectStderr(
  file: string,
  { args, descriptors }: Pick<BubblewrapCall, "args" | "descriptors">,
  timeoutMs: number,
): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      env: {},
      cwd: "/",
      stdio: ["ignore", "ignore", "pipe", ...descriptors],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    });
    let text = "";
    child.stderr?.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    child.on("error", (error) => resolve(error.message));
    child.on("close", (_code, signal) => {
      resolve(signal === "SIGKILL" ? `${text}bwrap ${noAnswer} within ${timeoutMs} ms` : text);
    });
  });
}
