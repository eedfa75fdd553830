import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, test } from "vitest";
import type { CommandResult } from "../../../src/exec/index.js";
import { createDeferred, type Deferred } from "../../../src/lib/async.js";
import type { PermissionRules } from "../../../src/protocol/permission-rules.js";
import type { WorkspaceWritePolicy } from "../../../src/protocol/types.js";
import type {
  CommandToConfine,
  EnforcedPolicy,
  SandboxOptions,
} from "../../../src/sandbox/index.js";
import { bundleProgram } from "../../support/bundle-program.js";

/** User that commands run as: the current one, and an ordinary user if that is root. */
export type Identity = "root" | "user";

const isRoot = process.getuid?.() === 0;
const overflowUid = 65534;

/** Identities available here. */
export const identities: readonly Identity[] = isRoot ? ["root", "user"] : ["user"];

/** Request to the runner. */
export interface RunnerRequest {
  id: number;
  options: SandboxOptions;
  command: CommandToConfine;
  run: { timeoutMs?: number; graceMs?: number };
  /** Addresses by name, in place of the system's resolver. */
  hosts?: Readonly<Record<string, readonly string[]>>;
}

/** Reply of the runner. */
export type RunnerReply =
  | { id: number; error: string }
  | { id: number; result: CommandResult; warnings: string[]; peakMemory: number };

/** A folder with a workspace, and files beside it that must not change. */
export interface Scene {
  base: string;
  ws: string;
  outside: string;
  victim: string;
}

/** Runs confined commands as one identity. */
export interface Confined {
  identity: Identity;
  process: ChildProcess;
  scene(): Scene;
  /** Runs a command in the scene's workspace; returns the raw reply. */
  ask(scene: Scene, argv: readonly string[], how?: How): Promise<RunnerReply>;
  /** Like `ask`, for a command that is expected to start. */
  run(scene: Scene, argv: readonly string[], how?: How): Promise<CommandResult>;
  /** Like `run`, for a shell script. */
  sh(scene: Scene, script: string, how?: How): Promise<CommandResult>;
}

/** Deviations from the default: write access to the workspace only, no network. */
export interface How {
  readOnly?: boolean;
  /** Runs without a sandbox, to prepare a scene. */
  unconfined?: boolean;
  policy?: Partial<WorkspaceWritePolicy>;
  /** Rules of a permission profile, in place of the mode. */
  rules?: Partial<PermissionRules>;
  cwd?: string;
  workdir?: string;
  env?: Record<string, string>;
  options?: Partial<SandboxOptions>;
  timeoutMs?: number;
  /** Addresses by name, in place of the system's resolver. */
  hosts?: Readonly<Record<string, readonly string[]>>;
}

/** True if bubblewrap works on this machine. */
export const bubblewrapWorks = ((): boolean => {
  if (process.platform !== "linux") return false;
  try {
    execFileSync("/usr/bin/bwrap", ["--ro-bind", "/", "/", "--unshare-user", "true"]);
    return true;
  } catch {
    return false;
  }
})();

/** Describes behavior for each identity; without bubblewrap it is skipped with a warning, or fails on CI. */
export function describeConfined(name: string, body: (confined: () => Confined) => void): void {
  if (!bubblewrapWorks) {
    const must = process.env.CI === "true" && process.platform === "linux";
    console.warn(`NOT TESTED, bubblewrap does not work here: ${name}`);
    (must ? test : test.skip)(`${name}: bubblewrap works`, () => {
      throw new Error("Install bubblewrap: node scripts/setup-system.mjs bubblewrap");
    });
    return;
  }
  for (const identity of identities) {
    describe(`${name}, as ${identity}`, () => {
      let confined: Confined | undefined;
      beforeAll(async () => {
        confined = await startConfined(identity);
      });
      afterAll(() => {
        confined?.process.kill("SIGKILL");
        for (const base of bases.splice(0)) rmSync(base, { recursive: true, force: true });
        runner = undefined;
      });
      body(() => {
        if (confined === undefined) throw new Error("The runner has not started");
        return confined;
      });
    });
  }
}

const bases: string[] = [];

/** Starts a process that runs commands as this identity, itself inside `wrapper`. The caller ends it. */
export async function startConfined(
  identity: Identity,
  wrapper: { argv?: readonly string[]; descriptors?: readonly ("ignore" | number)[] } = {},
): Promise<Confined> {
  const asNobody = isRoot && identity === "user";
  const [file, ...args] = [...(wrapper.argv ?? []), process.execPath, await runnerFile()] as const;
  const child = spawn(file, args, {
    stdio: ["pipe", "pipe", "inherit", ...(wrapper.descriptors ?? [])],
    env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
    cwd: "/",
    ...(asNobody ? { uid: overflowUid, gid: overflowUid } : {}),
  });
  const waiting = new Map<number, Deferred<RunnerReply>>();
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error("The runner has no pipes");
  createInterface({ input: stdout }).on("line", (line) => {
    const reply: RunnerReply = JSON.parse(line);
    waiting.get(reply.id)?.resolve(reply);
    waiting.delete(reply.id);
  });
  let count = 0;
  const confined: Confined = {
    identity,
    process: child,
    scene() {
      const scene = makeScene();
      if (asNobody) execFileSync("chown", ["-R", `${overflowUid}:${overflowUid}`, scene.base]);
      return scene;
    },
    ask(scene, argv, how = {}) {
      const id = ++count;
      const reply = createDeferred<RunnerReply>();
      waiting.set(id, reply);
      stdin.write(`${JSON.stringify(requestFor(id, scene, argv, how))}\n`);
      return reply.promise;
    },
    async run(scene, argv, how) {
      const reply = await confined.ask(scene, argv, how);
      if ("error" in reply) throw new Error(reply.error);
      return reply.result;
    },
    sh: (scene, script, how) => confined.run(scene, ["/bin/sh", "-c", script], how),
  };
  return confined;
}

function requestFor(id: number, scene: Scene, argv: readonly string[], how: How): RunnerRequest {
  const env = how.env ?? {};
  return {
    id,
    options: {
      platform: "linux",
      arch: process.arch,
      env,
      userHome: join(scene.base, "home"),
      agentHome: join(scene.base, "home/.codex"),
      stateDir: join(scene.base, "state"),
      probeTimeoutMs: 10_000,
      ...how.options,
    },
    command: {
      argv,
      cwd: how.cwd ?? scene.ws,
      ...(how.workdir === undefined ? {} : { workdir: how.workdir }),
      policy: policyFor(how),
      env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: join(scene.base, "home"), ...env },
    },
    run: { timeoutMs: how.timeoutMs ?? 20_000 },
    ...(how.hosts === undefined ? {} : { hosts: how.hosts }),
  };
}

function policyFor({ readOnly, unconfined, policy, rules }: How): EnforcedPolicy {
  if (rules !== undefined) return { mode: "workspace-write", rules: { ...plainRules, ...rules } };
  if (unconfined) return { mode: "danger-full-access" };
  if (readOnly) return { mode: "read-only" };
  const only = { exclude_slash_tmp: true, exclude_tmpdir_env_var: true };
  return { mode: "workspace-write", ...only, ...policy };
}

const plainRules: PermissionRules = {
  base: "restricted",
  files: [],
  network: { enabled: false },
  workspaceRoots: [],
};

function makeScene(): Scene {
  const base = mkdtempSync(join(tmpdir(), "quire-scene-"));
  bases.push(base);
  const [ws, outside] = [join(base, "ws"), join(base, "outside")];
  for (const directory of [ws, outside, join(base, "home")]) mkdirSync(directory);
  const victim = join(outside, "victim.txt");
  writeFileSync(victim, "untouched\n", { mode: 0o600 });
  return { base, ws, outside, victim };
}

let runner: Promise<string> | undefined;

/** Bundles the runner into one file that any user can read; once per group of tests. */
function runnerFile(): Promise<string> {
  runner ??= (async () => {
    const directory = mkdtempSync(join(tmpdir(), "quire-runner-"));
    bases.push(directory);
    const outfile = await bundleProgram(join(import.meta.dirname, "runner.ts"), directory);
    execFileSync("chmod", ["-R", "a+rX", directory]);
    if (isRoot) chownSync(directory, overflowUid, overflowUid);
    return outfile;
  })();
  return runner;
}
