import { readFileSync } from "node:fs";
import { CodexError } from "../protocol/error.js";

/** The reason that there is no sandbox, and the remedy. */
export interface Unavailability {
  /** The reason, worded to follow "No sandbox available: ". */
  cause: string;
  /** The remedy, a sentence without its full stop. */
  remedy: string;
}

/**
 * Creates the error for user and model: the reason, the remedy, and the override that only the user
 * may use.
 */
export function sandboxUnavailable({ cause, remedy }: Unavailability): CodexError {
  return new CodexError(
    "sandbox_unavailable",
    `No sandbox available: ${cause}. ${remedy}, or start with --sandbox danger-full-access if this machine is already isolated.`,
    { data: { cause, remedy } },
  );
}

/** Creates the error for a command that must not run, because a rule cannot be enforced. */
export function cannotConfine(reason: string, cause?: unknown): CodexError {
  return new CodexError("sandbox_unavailable", `The command cannot be confined: ${reason}`, {
    data: { reason },
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Determines the reason of a failed trial from the output of bubblewrap and the system settings. */
export function explainBubblewrapFailure(stderr: string, readFile = readSmallFile): Unavailability {
  const lastLine = stderr.trim().split("\n").at(-1) ?? "";
  const quoted = lastLine === "" ? "" : ` (${lastLine})`;
  if (isFirstWsl(readFile)) {
    return {
      cause: `WSL 1 has no namespaces${quoted}`,
      remedy: "Convert the distribution to WSL 2",
    };
  }
  if (/unknown option/i.test(lastLine)) {
    return {
      cause: `this bubblewrap is too old${quoted}`,
      remedy: "Install bubblewrap 0.5 or newer",
    };
  }
  if (/no space left on device|ENOSPC/i.test(lastLine)) {
    return {
      cause: `the limit of user namespaces is reached or zero${quoted}`,
      remedy: "Raise it with sysctl user.max_user_namespaces",
    };
  }
  if (namespaceRefused.test(lastLine)) return refusedNamespace(quoted, readFile);
  return {
    cause: `bubblewrap does not work here${quoted || " (without an error message)"}`,
    remedy: "Check that `bwrap --ro-bind / / true` works in a terminal",
  };
}

const namespaceRefused =
  /uid map: Permission denied|uid map: Operation not permitted|RTM_NEWADDR|No permissions to create|Creating new namespace failed/i;

function refusedNamespace(quoted: string, readFile: typeof readSmallFile): Unavailability {
  const noFallback = "there is no weaker fallback such as Landlock";
  if (readFile("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") === "1") {
    return {
      cause: `user namespaces are blocked by AppArmor${quoted}, and ${noFallback}`,
      remedy: "Install bubblewrap from the distribution and load its AppArmor profile",
    };
  }
  if (readFile("/proc/sys/kernel/unprivileged_userns_clone") === "0") {
    return {
      cause: `user namespaces are switched off${quoted}, and ${noFallback}`,
      remedy: "Switch them on with sysctl kernel.unprivileged_userns_clone=1",
    };
  }
  return {
    cause: `user namespaces are refused, as containers often do${quoted}, and ${noFallback}`,
    remedy: "Allow them in the container's seccomp profile or outer sandbox",
  };
}

function isFirstWsl(readFile: typeof readSmallFile): boolean {
  const version = readFile("/proc/version") ?? "";
  return version.includes("Microsoft") && !/WSL2/i.test(version);
}

function readSmallFile(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
}
