import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scriptedConfig } from "../../src/model/scripted/index.js";
import { neutralEnv } from "../measure.js";
import type { ServerStart } from "./app-server.js";
import type { CheapModel } from "./cheap-model.js";
import type { AnswerName } from "./model-answers.js";
import type { Side } from "./side.js";

/** State shared by all cases of one comparison. */
export interface Contest {
  sides: readonly Side[];
  model: CheapModel;
  /** Number of text deltas in the long answer. */
  deltas: number;
  rounds: number;
  /** Smaller sizes. */
  short: boolean;
  /** A folder for this run alone. */
  folder: string;
  /** Duration of the soak; 0 skips it. */
  soakSeconds: number;
  /** Reports skipped measurements, and progress where a case takes long. */
  note(line: string): void;
}

/** A home and a workspace for one side. */
export interface Place {
  home: string;
  workspace: string;
  env: Record<string, string>;
}

/** Makes a place whose config names the model; the same for all sides but the name of the model. */
export function makePlace(
  { folder, model }: Pick<Contest, "folder" | "model">,
  side: Side,
  answer: AnswerName,
  sandbox = "workspace-write",
): Place {
  const root = mkdtempSync(join(folder, "place-"));
  const [home, workspace] = [join(root, ".codex"), join(root, "workspace")];
  mkdirSync(home);
  makeRepository(workspace);
  const baseUrl = model.baseUrl(answer);
  writeFileSync(join(home, "config.toml"), configText(side.model, baseUrl, sandbox));
  return { home, workspace, env: neutralEnv({ HOME: root, CODEX_HOME: home, ...onlyHere }) };
}

/** A workspace as people have it: under git, with a commit. */
function makeRepository(folder: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, "README.md"), "A workspace to measure in.\n");
  const author = ["-c", "user.name=Bench", "-c", "user.email=bench@localhost"];
  for (const args of [
    ["init", "-q"],
    ["add", "."],
    [...author, "commit", "-q", "-m", "Begin"],
  ]) {
    execFileSync("git", args, { cwd: folder, env: neutralEnv({ HOME: folder }), stdio: "ignore" });
  }
}

/** Command that starts the app-server of a side. */
export function serverIn({ workspace, env }: Place, { appServer }: Side): ServerStart {
  return { command: appServer, cwd: workspace, env };
}

/** Port 9 has no listener, so a check for updates fails at once instead of timing out. */
export const onlyHere = { HTTPS_PROXY: "http://127.0.0.1:9", NO_PROXY: "127.0.0.1,localhost" };

// The recorded threads of `rollout-files.ts` name the same provider.
function configText(model: string, baseUrl: string, sandbox: string): string {
  const settings = `approval_policy = "never"\nsandbox_mode = "${sandbox}"`;
  return scriptedConfig({ model, baseUrl, settings });
}
