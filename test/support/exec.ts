import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  listenScriptedModel,
  type Script,
  type ScriptedServer,
  scriptedConfig,
} from "../../src/model/scripted/index.js";
import { bin, quireCommand } from "./bin.js";

const root = resolve(import.meta.dirname, "../..");

/** A home, a workspace and a model, in which programs can be run one after another. */
export interface Place extends AsyncDisposable {
  home: string;
  workspace: string;
  model: ScriptedServer;
  env: Record<string, string>;
  /** Runs a program of the project to its end; `quire` is the built program. */
  run(program: string, args: string[], options?: RunOptions): Promise<Finished>;
  /** Starts a program in the background; disposing the place ends it. */
  start(program: string, args: string[], options?: RunOptions): Running;
}

/** Options for running a program. */
export interface RunOptions {
  /** Its input: a text, nothing (`ignore`), or a pipe that is never closed (`open`). */
  stdin?: string | { open: true };
  env?: Record<string, string>;
}

/** A running program. */
export interface Running {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Waits until one of its outputs contains the text. */
  until(text: string | RegExp): Promise<void>;
  ended: Promise<Finished>;
}

/** Result of a program. */
export interface Finished {
  stdout: string;
  stderr: string;
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Creates a place; `config` is inserted before the tables of config.toml. */
export async function makePlace(
  script: Script,
  { config = "", git = true }: { config?: string; git?: boolean } = {},
): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), "quire-exec-"));
  const [home, workspace] = [join(folder, "home"), join(folder, "workspace")];
  await Promise.all([mkdir(home), mkdir(workspace)]);
  if (git) {
    // The existence of `.git` is all that is checked.
    await mkdir(join(workspace, ".git"));
    await writeFile(join(workspace, ".git/HEAD"), "ref: refs/heads/main\n");
  }
  const model = await listenScriptedModel({ script });
  await writeFile(
    join(home, "config.toml"),
    scriptedConfig({ baseUrl: model.baseUrl, settings: config, retries: 0 }),
  );
  const env = { PATH: process.env.PATH ?? "", HOME: folder, CODEX_HOME: home };
  const running = new Set<Running>();
  const start: Place["start"] = (program, args, options = {}) => {
    const one = startOne(
      program,
      args,
      { cwd: workspace, env: { ...env, ...options.env } },
      options,
    );
    running.add(one);
    return one;
  };
  return {
    home,
    workspace,
    model,
    env,
    start,
    run: (program, args, options) => start(program, args, options).ended,
    async [Symbol.asyncDispose]() {
      for (const { child } of running) if (child.exitCode === null) child.kill("SIGKILL");
      await Promise.all([...running].map(({ ended }) => ended));
      await model.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function startOne(
  program: string,
  args: string[],
  place: { cwd: string; env: Record<string, string> },
  { stdin }: RunOptions,
): Running {
  const file = program === "quire" ? bin : join(root, program);
  const child = spawn(...quireCommand(args, file), {
    ...place,
    stdio: [stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  child.stdin?.on("error", () => {}); // it may end without reading
  if (typeof stdin === "string") child.stdin?.end(stdin);
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  return {
    child,
    stdout,
    stderr,
    async until(text) {
      const found = () => [stdout(), stderr()].some((all) => all.search(text) >= 0);
      while (!found()) {
        if (child.exitCode !== null) throw new Error(`It ended first: ${stdout()}\n${stderr()}`);
        await Promise.race([
          once(child.stdout ?? child, "data"),
          once(child.stderr ?? child, "data"),
          once(child, "close"),
        ]);
      }
    },
    ended: once(child, "close").then(([code, signal]) => ({
      stdout: stdout(),
      stderr: stderr(),
      code,
      signal,
    })),
  };
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = "";
  stream?.on("data", (data: Buffer) => {
    text += data;
  });
  return () => text;
}
