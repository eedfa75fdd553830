import type { Config, Environment } from "../config/index.js";
import {
  commandEnvironment,
  failureMessage,
  type LiveCommand,
  type LiveOptions,
  runCommand,
  startLiveCommand,
} from "../exec/index.js";
import { CodexError } from "../protocol/error.js";
import { type EnforcedPolicy, hasNetwork, type Sandbox } from "../sandbox/index.js";

/** A command that a client runs outside of any thread. */
export interface OneOffCommand {
  /** The program and its arguments. */
  argv: readonly string[];
  /** The working directory of the command. */
  cwd: string;
  /** The sandbox policy that is enforced. */
  policy: EnforcedPolicy;
  /** Policy for the environment variables that it inherits. */
  environment: Config["shell_environment_policy"];
  /** Time limit in milliseconds. */
  timeoutMs?: number | undefined;
}

/** Result of a command; `problem` says why there is no exit code. */
export type OneOffResult =
  | { exitCode: number; stdout: string; stderr: string }
  | { problem: string; timedOut: boolean };

/** Runs a command in the sandbox until it exits. */
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

/** A command with streamed input and output that a client runs outside of any thread. */
export interface LiveRequest extends Omit<LiveOptions, "launch"> {
  /** The program and its arguments. */
  argv: readonly string[];
  /** The working directory of the command. */
  cwd: string;
  /** The sandbox policy that is enforced. */
  policy: EnforcedPolicy;
  /** Policy for the environment variables that it inherits. */
  environment: Config["shell_environment_policy"];
  /** Additional variables; `null` unsets one. */
  variables?: Readonly<Record<string, string | null>> | undefined;
}

/** Starts a command in the sandbox; returns the reason if it cannot be started. */
export async function startLive(
  { argv, cwd, policy, environment, variables = {}, ...options }: LiveRequest,
  { env: inherited, sandbox }: { env: Environment; sandbox: Sandbox },
): Promise<LiveCommand | string> {
  const network = hasNetwork(policy);
  const env = withVariables(
    commandEnvironment({ policy: environment, inherited, network }),
    variables,
  );
  const terminal = options.terminal !== undefined;
  const launch = await sandbox.prepare({ argv, cwd, policy, env, terminal });
  if (launch instanceof CodexError) return launch.message;
  const started = await startLiveCommand({ ...options, launch });
  return "kind" in started ? failureMessage(started) : started;
}

function withVariables(
  env: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const all = Object.entries({ ...env, ...variables });
  return Object.fromEntries(
    all.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
  );
}
