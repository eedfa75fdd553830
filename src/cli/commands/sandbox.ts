import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { homedir, constants as system } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { loadConfig, parseOverride } from "../../config/index.js";
import { commandEnvironment, type EnvironmentPolicy, withSealedStdio } from "../../exec/index.js";
import { programName } from "../../lib/program-name.js";
import { CodexError } from "../../protocol/error.js";
import { homeSecrets } from "../../protocol/home-secrets.js";
import {
  createSandbox,
  type EnforcedPolicy,
  enforcedPolicy,
  hasNetwork,
  type Launch,
  needsSandbox,
} from "../../sandbox/index.js";
import { type CommandIo, defineCommand } from "../command.js";
import { configOptions } from "../options/config-options.js";
import { parseSandboxArguments, type SandboxRequest, sandboxUsage } from "./sandbox-arguments.js";

/** Runs a command in the sandbox that commands of the model run in. */
export const sandbox = defineCommand({
  name: "sandbox",
  summary: "Run a command in the sandbox",
  operands: "-- CMD…",
  options: {
    "full-auto": { type: "boolean", help: "Same as -c sandbox_mode=workspace-write" },
    cd: { type: "string", short: "C", value: "DIR", help: "Run the command in this directory" },
    profile: { type: "string", short: "p", value: "NAME", help: "Use a config profile" },
    "permission-profile": {
      type: "string",
      short: "P",
      value: "NAME",
      help: "Use a permission profile",
    },
    config: configOptions.config,
  },
  raw: true,
  details: [
    "Uses the sandbox policy of the config; override it with -c, e.g. -c sandbox_mode=workspace-write.",
    "Exits with the exit code of the command.",
  ].join("\n"),
  run: ({ positionals }, io) => runSandbox(positionals, io, settingsFromConfig),
});

/** Streams and environment of the command, passed on to the command that it runs. */
export type SandboxIo = Pick<CommandIo, "cwd" | "env" | "stdin" | "stdout" | "stderr"> &
  Partial<Pick<CommandIo, "signal">>;

/** Resolved settings of the sandbox. */
export interface SandboxSettings {
  policy: EnforcedPolicy;
  environment: EnvironmentPolicy;
  /** The agent's own directory; stays read-only. */
  agentHome: string;
}

/** Reads the configuration; the error's message is shown to the user. */
export type ResolveSandbox = (request: SandboxRequest, io: SandboxIo) => Promise<SandboxSettings>;

/** Runs one command as the model's commands are run, on our own terminal, and passes on its exit code. */
export async function runSandbox(
  args: readonly string[],
  io: SandboxIo,
  resolveSandbox: ResolveSandbox,
): Promise<number> {
  const request = parseSandboxArguments(args);
  if (typeof request === "string") return complain(io, `${request}\nUsage: ${sandboxUsage()}`, 2);
  if (request.cd !== undefined) {
    const cwd = resolve(io.cwd, request.cd);
    const isFolder = statSync(cwd, { throwIfNoEntry: false })?.isDirectory() ?? false;
    if (!isFolder) return complain(io, `--cd: no such directory: ${cwd}`, 2);
    const { cd: _, ...rest } = request;
    return runRequest(rest, { ...io, cwd }, resolveSandbox);
  }
  return runRequest(request, io, resolveSandbox);
}

async function runRequest(
  request: SandboxRequest,
  io: SandboxIo,
  resolveSandbox: ResolveSandbox,
): Promise<number> {
  const { policy, environment, agentHome } = await resolveSandbox(request, io);
  const env = commandEnvironment({
    policy: environment,
    inherited: io.env,
    network: hasNetwork(policy),
  });
  const [program = ""] = request.argv;
  const problem = problemWith(program, env.PATH ?? "", io.cwd);
  if (problem !== undefined) return complain(io, `${program}: ${problem.text}`, problem.exitCode);
  if (!needsSandbox(policy))
    io.stderr.write(`${programName()} sandbox: warning: no sandbox in mode ${policy.mode}\n`);
  const sandbox = createSandbox({
    platform: process.platform,
    arch: process.arch,
    env: io.env,
    userHome: io.env.HOME ?? homedir(),
    agentHome,
    stateDir: join(agentHome, "quire"),
    hidden: Object.values(homeSecrets).map((name) => join(agentHome, name)),
  });
  const launch = await sandbox.prepare({ argv: request.argv, cwd: io.cwd, policy, env });
  if (launch instanceof CodexError) return complain(io, launch.message, 1);
  for (const warning of launch.warnings) io.stderr.write(`${programName()} sandbox: ${warning}\n`);
  try {
    return await runLaunch(launch, io);
  } finally {
    sandbox.close();
  }
}

async function runLaunch(launch: Launch, io: SandboxIo): Promise<number> {
  const child = withSealedStdio(["ignore", "ignore", "ignore", ...launch.descriptors], (stdio) =>
    spawn(launch.file, launch.args, {
      cwd: launch.cwd,
      env: launch.env,
      stdio: [io.stdin, io.stdout, io.stderr, ...stdio.slice(3)],
    }),
  );
  launch.spawned(child);
  launch.onBreach?.(() => child.kill("SIGKILL"));
  const end = () => child.kill("SIGTERM");
  io.signal?.addEventListener("abort", end, { once: true });
  const exitCode = await new Promise<number>((done) => {
    child.once("error", (error) => done(complain(io, error.message, 126)));
    child.once("exit", (code, signal) => done(code ?? signalCode(signal)));
  });
  io.signal?.removeEventListener("abort", end);
  const report = await launch.ended("");
  if (!report.ran && report.cause === "breach") return complain(io, report.reason, exitCode);
  return exitCode;
}

function signalCode(signal: NodeJS.Signals | null): number {
  return signal === null ? 1 : 128 + system.signals[signal];
}

function complain(io: SandboxIo, message: string, exitCode: number): number {
  io.stderr.write(`${programName()} sandbox: ${message}\n`);
  return exitCode;
}

/** Why a program could not be started, with the exit code a shell would give for it. */
function problemWith(program: string, path: string, cwd: string) {
  const places = program.includes("/")
    ? [resolve(cwd, program)]
    : path.split(delimiter).map((directory) => resolve(cwd, directory, program));
  const there = places.filter(isFile);
  if (there.length === 0) return { text: "no such program", exitCode: 127 };
  return there.some(isExecutable) ? undefined : { text: "not executable", exitCode: 126 };
}

/** A folder of PATH that the user may not enter holds nothing for them. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function settingsFromConfig(
  { fullAuto, overrides }: SandboxRequest,
  { env, cwd }: SandboxIo,
): Promise<SandboxSettings> {
  const flags = await Promise.all(overrides.map((text) => parseOverride(text)));
  const writable = fullAuto ? { sandbox_mode: "workspace-write" } : {};
  const config = await loadConfig({ env, cwd, flags, overrides: writable });
  return {
    policy: enforcedPolicy(config),
    environment: config.shell_environment_policy,
    agentHome: config.home,
  };
}
