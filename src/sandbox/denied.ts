import { constants } from "node:os";
import type { SandboxKind } from "./launch.js";

/** Result of a command that ended. */
export interface EndedCommand {
  sandbox: SandboxKind;
  exitCode: number;
  stdout: string;
  stderr: string;
  aggregated: string;
}

/**
 * Rule for attributing a failure to the sandbox: `any-failure` takes every exit code but 0 and 127
 * for a denial, `telltale-output` looks for typical messages.
 */
export type DenialRule = "any-failure" | "telltale-output";

/** Returns true if the sandbox is likely the reason that a command failed. */
export function wasDenied(command: EndedCommand, rule: DenialRule): boolean {
  const { sandbox, exitCode } = command;
  if (sandbox === "none" || exitCode === 0) return false;
  if (rule === "any-failure") return exitCode !== commandNotFound;
  return showsDenial(command) || (sandbox === "bubblewrap" && exitCode === killedByFilter);
}

const commandNotFound = 127;
const killedByFilter = 128 + (constants.signals.SIGSYS ?? 31);

const denialMessages =
  /operation not permitted|permission denied|read-only file system|seccomp|sandbox|landlock|failed to write file/i;

function showsDenial({ stdout, stderr, aggregated }: EndedCommand): boolean {
  return [stderr, stdout, aggregated].some((text) => denialMessages.test(text));
}
