import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import {
  listenScriptedModel,
  type Script,
  type ScriptedServer,
  scriptedConfig,
  unguarded,
} from "../../../src/model/scripted/index.js";
import type { Identity } from "../../sandbox/support/confined.js";
import { bin, quireCommand } from "../../support/bin.js";

/** Options for starting the agent. */
export interface AgentOptions {
  args?: string[];
  /** Answers of the model, which may depend on the agent's folders. */
  model?: Script | ((place: Place) => Script);
  /** Url of another model server. */
  modelUrl?: string;
  env?: Record<string, string>;
  /** User to run as; defaults to the current one. A number requires root. */
  identity?: Identity | number;
  /** A command line that runs the agent's command line. */
  wrapper?: (place: Place) => string[];
  /** Settings inserted before the tables of config.toml. */
  settings?: string;
  /** Additional tables of config.toml. */
  tables?: string;
  /** Additional settings of the model provider. */
  provider?: string;
  /** Number of retries of a request; none if omitted. */
  retries?: number;
  /** Working directory, if not the workspace. */
  cwd?: string;
  /** Its PATH. */
  path?(place: Place, usual: string): string;
  /** Prepares the folders before the agent starts. */
  furnish?(place: Place): void;
}

/** Folders of an agent, and files beside them that it must not touch. */
export interface Place {
  root: string;
  home: string;
  workspace: string;
  outside: string;
}

/** An event as the agent writes it. */
export interface Wire {
  id: string;
  msg: { type: string; [field: string]: unknown };
}

/** The built program, which serves the queues on its standard streams. */
export interface Agent extends AsyncDisposable, Place {
  child: ChildProcessWithoutNullStreams & { pid: number };
  model: ScriptedServer;
  events: Wire[];
  stderr(): string;
  /** Its standard error. */
  stdout(): string;
  write(bytes: string | Buffer): void;
  submit(id: string, op: Record<string, unknown>): void;
  /** Waits for an event of a type, under an id if one is given. */
  until(type: string, id?: string): Promise<Wire["msg"]>;
  /** Runs a turn and returns its events. */
  turn(id: string, overrides?: Record<string, unknown>): Promise<Wire["msg"][]>;
  /** Peak memory in bytes. */
  peakMemory(): number;
  exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts the built program in separate folders; dispose it with `await using`. */
export async function startAgent(options: AgentOptions = {}): Promise<Agent> {
  const place = makePlace();
  const script = typeof options.model === "function" ? options.model(place) : options.model;
  const model = await listenScriptedModel({ script: script ?? [] });
  writeFileSync(join(place.home, "config.toml"), configText(options, model.baseUrl));
  options.furnish?.(place);
  const uid = userOf(options.identity);
  const program = programFor(uid, place);
  if (uid !== undefined) execFileSync("chown", ["-R", `${uid}:${uid}`, place.root]);
  const line = [
    ...(options.wrapper?.(place) ?? []),
    ...quireCommand(options.args ?? ["proto"], program).flat(),
  ];
  const child = spawn(line[0] ?? "", line.slice(1), {
    cwd: options.cwd ?? place.workspace,
    env: {
      PATH: options.path?.(place, usualPath) ?? usualPath,
      HOME: place.root,
      CODEX_HOME: place.home,
      ...options.env,
    },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  }) as Agent["child"];
  const output = watch(child);
  // A test that times out is never disposed.
  onTestFinished(() => void child.kill("SIGKILL"));
  const agent: Agent = {
    ...place,
    child,
    model,
    ...output,
    write: (bytes) => child.stdin.write(bytes),
    submit: (id, op) => child.stdin.write(`${JSON.stringify({ id, op })}\n`),
    async turn(id, overrides = {}) {
      const items = [{ type: "text", text: "go" }];
      agent.submit(id, { type: "user_turn", items, ...overrides });
      await Promise.race([output.until("task_complete", id), output.until("turn_aborted", id)]);
      return output.events.filter((event) => event.id === id).map(({ msg }) => msg);
    },
    peakMemory: () => statusField(child.pid, "VmHWM") * 1024,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
      await output.exit;
      await model.close();
      await rm(place.root, { recursive: true, force: true });
    },
  };
  return agent;
}

/** A policy with write access to the workspace only. */
export const workspaceOnly = {
  sandbox_policy: {
    mode: "workspace-write",
    network_access: false,
    exclude_tmpdir_env_var: true,
    exclude_slash_tmp: true,
  },
};

/** Returns a number from the status of a process. */
export function statusField(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]);
}

const isRoot = process.getuid?.() === 0;
const nobody = 65534;
const usualPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** User to switch to, if it is another one. */
function userOf(identity: Identity | number | undefined): number | undefined {
  if (typeof identity === "number") return identity;
  return isRoot && identity === "user" ? nobody : undefined;
}

function makePlace(): Place {
  const root = mkdtempSync(join(tmpdir(), "quire-agent-"));
  const names = ["home", "workspace", "outside"] as const;
  const [home, workspace, outside] = names.map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [home, workspace, outside]) mkdirSync(folder);
  writeFileSync(join(outside, "victim.txt"), "untouched\n");
  return { root, home, workspace, outside };
}

function configText(options: AgentOptions, ownUrl: string): string {
  const { settings = "", provider = "", tables = "", retries = 0, modelUrl } = options;
  const baseUrl = modelUrl ?? ownUrl;
  const played = scriptedConfig({ baseUrl, settings: `${unguarded}\n${settings}`, retries });
  return `${played}${provider}\n${tables}\n`;
}

/** Collects the output of the program and wakes pending waits. */
function watch(child: ChildProcessWithoutNullStreams) {
  const events: Wire[] = [];
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const one of waiting) one();
    waiting.clear();
  };
  let [stdout, stderr, ended] = ["", "", false];
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line.startsWith('{"id"')) events.push(JSON.parse(line));
    else stdout += `${line}\n`;
    wake();
  });
  child.stderr.on("data", (data: Buffer) => {
    stderr += data;
  });
  child.stdin.on("error", () => {}); // it may end while we still write
  const exit = once(child, "close").then(([code, signal]) => {
    ended = true;
    wake();
    return { code, signal };
  });
  const until = async (type: string, id?: string): Promise<Wire["msg"]> => {
    for (;;) {
      const fits = (event: Wire) =>
        event.msg.type === type && (id === undefined || event.id === id);
      const found = events.find(fits);
      if (found !== undefined) return found.msg;
      if (ended) throw new Error(`It ended without ${type}: ${stdout}\n${stderr}`);
      await new Promise<void>((resolve) => waiting.add(resolve));
    }
  };
  return { events, until, exit, stdout: () => stdout, stderr: () => stderr };
}

const project = resolve(import.meta.dirname, "../../..");

/** Returns the built program, or a copy that another user can read. */
function programFor(uid: number | undefined, { root }: Place): string {
  if (uid === undefined || isOpenToAll(dirname(bin))) return bin;
  const folder = join(root, "program");
  for (const name of ["bin", "dist/cli", "package.json"]) {
    cpSync(join(project, name), join(folder, name), { recursive: true });
  }
  return join(folder, "bin/quire.js");
}

/** Returns true if every user can enter a folder. */
function isOpenToAll(folder: string): boolean {
  const isOpen = (statSync(folder).mode & 0o5) === 0o5;
  return isOpen && (folder === dirname(folder) || isOpenToAll(dirname(folder)));
}
