import type { Config, Environment } from "../../config/index.js";
import { commandEnvironment, failureMessage, runCommand } from "../../exec/index.js";
import { CodexError } from "../../protocol/error.js";
import type { SandboxPolicy } from "../../protocol/types.js";
import { hasNetwork, type Sandbox } from "../../sandbox/index.js";

/** A command that a client runs by itself. */
export interface OneOffCommand {
  argv: readonly string[];
  cwd: string;
  policy: SandboxPolicy;
  /** What of the environment it gets. */
  environment: Config["shell_environment_policy"];
  timeoutMs?: number | undefined;
}

/** How it ended; a text says why it has no exit code of its own. */
export type OneOffResult =
  | { exitCode: number; stdout: string; stderr: string }
  | { problem: string; timedOut: boolean };

/** Runs a command confined by its policy, to its end. */
export async function runOneOff(
  { argv, cwd, policy, environment, timeoutMs }: OneOffCommand,
  { env: inherited, sandbox }: { env: Environment; sandbox: Sandbox },
  signal?: AbortSignal,
): Promise<OneOffResult> {
  const network = hasNetwork(policy);
  const env = commandEnvironment({ policy: environment, inherited, network });
  const launch = await sandbox.prepare({ argv, cwd, policy, env });
  if (launch instanceof CodexError) return { problem: launch.message, timedOut: false };
  const limit = timeoutMs === undefined ? {} : { timeoutMs };
  const result = await runCommand({ launch, ...limit }, signal);
  const { exitCode, stdout, stderr, failure, timedOut } = result;
  if (timedOut) return { problem: "sandbox error: command timed out", timedOut };
  if (failure !== undefined) return { problem: failureMessage(failure), timedOut };
  return { exitCode, stdout, stderr };
}
