import { existsSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  listenScriptedModel,
  type RecordedRequest,
  type Script,
} from "../src/model/scripted/index.js";
import type { CheckContext } from "./check.js";
import { LineProgram } from "./line-program.js";

/** Where a scene is, for what must name it. */
export interface Places {
  workspace: string;
}

/** What a scene is made of. */
export interface ScenePlan {
  script: Script;
  /** The name of the model, which decides about the tools it is offered. */
  model: string;
  /** More of config.toml: tables. */
  config?: string;
}

/** Where programs meet: one home, one workspace, one scripted model. Dispose it. */
export interface Scene extends AsyncDisposable {
  workspace: string;
  /** Starts a program in the workspace; besides `env` it finds only what is the scene's. */
  start(command: string[], env?: Record<string, string>): LineProgram;
  /** What the model was asked so far. */
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
  const { script, model, config = "" } = plan({ workspace });
  const server = await listenScriptedModel({ script });
  await writeFile(join(home, "config.toml"), configText(model, server.baseUrl, config));
  const own = { PATH: process.env.PATH ?? "", HOME: root, CODEX_HOME: home, ...onlyThisMachine };
  return {
    workspace,
    start(command, env) {
      note(`runs ${command.join(" ")}`);
      return new LineProgram({ command, cwd: workspace, env: { ...own, ...env }, signal });
    },
    asked: () => server.requests.filter(asksModel).map(({ body }) => body),
    async [Symbol.asyncDispose]() {
      await server.close();
      await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

/** Port 9 is where nobody listens: programs that look for news or send reports fail at once. */
const onlyThisMachine = {
  HTTP_PROXY: "http://127.0.0.1:9",
  HTTPS_PROXY: "http://127.0.0.1:9",
  NO_PROXY: "127.0.0.1,localhost",
};

/** Not `/tmp` where it can be helped: what sandboxes allow there is a case of its own. */
function temporary(): string {
  if (process.env.TMPDIR) return process.env.TMPDIR;
  return existsSync("/var/tmp") ? "/var/tmp" : tmpdir();
}

function asksModel({ method, url }: RecordedRequest): boolean {
  return method === "POST" && url.split("?", 1)[0]?.endsWith("/responses") === true;
}

function configText(model: string, baseUrl: string, more: string): string {
  return `model = "${model}"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.scripted]
name = "scripted"
base_url = "${baseUrl}"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

${more}`;
}
