import { existsSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  listenScriptedModel,
  type RecordedRequest,
  type Script,
  scriptedConfig,
  unguarded,
} from "../src/model/scripted/index.js";
import type { CheckContext } from "./check.js";
import { LineProgram } from "./line-program.js";
import { listenRoutedModel, type Route } from "./routed-model.js";

/** Paths and addresses of a scene. */
export interface Places {
  workspace: string;
}

/** Options of a scene. */
export interface ScenePlan {
  /** Answers in order, or by the last message. */
  script: Script | { routes: readonly Route[] };
  /** The name of the model, which decides about the tools it is offered. */
  model: string;
  /** More of config.toml: tables. */
  config?: string;
  /** Otherwise commands run without a sandbox and without questions. */
  asks?: boolean;
}

/** Shared surroundings of several programs: one home, one workspace, one scripted model. Dispose it. */
export interface Scene extends AsyncDisposable {
  workspace: string;
  /** All that programs find in their environment. */
  env: Readonly<Record<string, string>>;
  /** A path that ends in `codex` and starts that program, for clients that go by the name. */
  link(program: string): Promise<string>;
  /** Starts a program in the workspace; its environment is that of the scene plus `env`. */
  start(command: string[], env?: Record<string, string>): LineProgram;
  /** Requests to the model so far. */
  asked(): unknown[];
}

/** Makes the folders, writes the settings and starts the model. */
export async function openScene(
  plan: (places: Places) => ScenePlan,
  { note, signal }: Pick<CheckContext, "note" | "signal">,
): Promise<Scene> {
  const root = await realpath(await mkdtemp(join(temporary(), "quire-interop-")));
  const [home, workspace] = [join(root, "home"), join(root, "workspace")];
  await Promise.all([mkdir(home), mkdir(workspace)]);
  const { script, model, config = "", asks = false } = plan({ workspace });
  const server = await listenModel(script);
  const settings = configText({ model, baseUrl: server.baseUrl, asks }) + config;
  await writeFile(join(home, "config.toml"), settings);
  const own = { PATH: process.env.PATH ?? "", HOME: root, CODEX_HOME: home, ...onlyThisMachine };
  return {
    workspace,
    env: own,
    async link(program) {
      await mkdir(join(root, "bin"));
      await symlink(program, join(root, "bin", "codex"));
      return join(root, "bin", "codex");
    },
    start(command, env) {
      note(`runs ${command.join(" ")}`);
      return new LineProgram({ command, cwd: workspace, env: { ...own, ...env }, signal });
    },
    asked: () => server.asked(),
    async [Symbol.asyncDispose]() {
      await server.close();
      await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

interface ListeningModel {
  baseUrl: string;
  asked(): unknown[];
  close(): Promise<void>;
}

async function listenModel(script: ScenePlan["script"]): Promise<ListeningModel> {
  if ("routes" in script) {
    const { baseUrl, requests, close } = await listenRoutedModel(script.routes);
    return { baseUrl, asked: () => [...requests], close };
  }
  const { baseUrl, requests, close } = await listenScriptedModel({ script });
  return { baseUrl, asked: () => requests.filter(asksModel).map(({ body }) => body), close };
}

/** Port 9 has no listener: checks for updates and reports fail at once. */
const onlyThisMachine = {
  HTTP_PROXY: "http://127.0.0.1:9",
  HTTPS_PROXY: "http://127.0.0.1:9",
  NO_PROXY: "127.0.0.1,localhost",
};

/** Avoids `/tmp` if possible: sandboxes treat it specially, which is a separate case. */
export function temporary(): string {
  if (process.env.TMPDIR) return process.env.TMPDIR;
  return existsSync("/var/tmp") ? "/var/tmp" : tmpdir();
}

function asksModel({ method, url }: RecordedRequest): boolean {
  return method === "POST" && url.split("?", 1)[0]?.endsWith("/responses") === true;
}

function configText(plan: { model: string; baseUrl: string; asks: boolean }): string {
  const guarded = 'approval_policy = "on-request"\nsandbox_mode = "workspace-write"';
  return scriptedConfig({ ...plan, retries: 0, settings: plan.asks ? guarded : unguarded });
}
