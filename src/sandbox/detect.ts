import { spawn } from "node:child_process";
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { CodexError } from "../protocol/error.js";
import { openBubblewrapCall } from "./bubblewrap-call.js";
import { parseStatus } from "./bubblewrap-launch.js";
import { explainBubblewrapFailure, sandboxUnavailable } from "./unavailable.js";

/** What a bubblewrap can do on this machine. */
export interface BubblewrapFeatures {
  /** It takes directories by descriptor, so that a root cannot be swapped for another. */
  bindsDescriptors: boolean;
  /** A new /proc can be mounted; not so in many containers. */
  freshProc: boolean;
}

/** A bubblewrap that works here. */
export interface Bubblewrap extends BubblewrapFeatures {
  path: string;
}

/** What the search for bubblewrap is made from. */
export interface DetectOptions {
  /** Where to look; the first that is there decides. */
  places: readonly string[];
  /** The filter that commands will get, which must load too. */
  filter: Buffer;
  /** How long a trial may take. */
  timeoutMs: number;
  /** For short-lived files out of reach of commands. */
  dataDirectories: readonly string[];
}

/** Where distributions put bubblewrap; never looked up in PATH, which a command may have shaped. */
export const bubblewrapPlaces: readonly string[] = [
  "/usr/bin/bwrap",
  "/usr/local/bin/bwrap",
  "/bin/bwrap",
];

/** Finds a bubblewrap and tries it out with the real namespaces and the real filter. */
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
      // A machine that is only busy gets a second, longer chance: without one nothing could be run.
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

/** Whether bubblewrap could not be tried out since the machine was too busy: it may be free again later. */
export function wasTooBusy(error: CodexError): boolean {
  return String(error.data?.cause).includes(noAnswer);
}

const noAnswer = "gave no answer";

/** A trial takes at most so many times the time that it should. */
const longestTrial = 4;

/** The owner that a user namespace shows for everyone outside of it. */
const overflowUid = 65534;

/** Whether only root can change a program: whoever else could would be able to leave the sandbox. */
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

/** Runs bubblewrap in itself; nothing when it worked, else what it said. */
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
  { args, descriptors }: { args: readonly string[]; descriptors: readonly number[] },
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
