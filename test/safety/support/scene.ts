import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  listenScriptedModel,
  type Script,
  type ScriptedServer,
} from "../../../src/model/scripted/index.js";
import { secret } from "./tool-rows.js";

/** A home, a workspace with denied files and a model. */
export interface SafetyScene extends AsyncDisposable {
  root: string;
  home: string;
  workspace: string;
  /** Folder in place of `/etc/codex`; undefined if there are no requirements. */
  systemFolder: string | undefined;
  model: ScriptedServer;
  env: Record<string, string>;
}

/** Options for a scene. */
export interface SceneOptions {
  script: Script;
  /** Lines of config.toml before its tables, and its tables. */
  settings: string;
  tables?: string;
  /** Text of requirements.toml; `WORKSPACE` becomes the path of the workspace. */
  requirements?: string;
  /** Adds to the home, such as hooks; returns more tables. */
  furnish?(home: string): Promise<string>;
}

const onePixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Creates a scene; dispose it with `await using`. */
export async function createScene(options: SceneOptions): Promise<SafetyScene> {
  const root = mkdtempSync(join(tmpdir(), "quire-safety-"));
  const [home, workspace] = [join(root, "home"), join(root, "workspace")];
  for (const folder of ["home", "workspace/private", "workspace/later", "workspace/.git"]) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  for (const name of ["secret.env", "private/note", "later/a.key"]) {
    writeFileSync(join(workspace, name), `${secret}\n`);
  }
  for (const name of ["open.png", "secret.png"]) writeFileSync(join(workspace, name), onePixel);
  writeFileSync(join(workspace, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(root, "mcp.mjs"), mcpServer);
  const model = await listenScriptedModel({ script: options.script });
  const more = (await options.furnish?.(home)) ?? "";
  writeFileSync(
    join(home, "config.toml"),
    `${options.settings}
model = "mock-model"
model_provider = "mock"
check_for_update_on_startup = false
features.request_permissions_tool = true
features.code_mode = true
${options.tables ?? ""}
${more}
[model_providers.mock]
name = "mock"
base_url = ${JSON.stringify(model.baseUrl)}
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
[projects.${JSON.stringify(workspace)}]
trust_level = "trusted"
[mcp_servers.tiny]
command = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(join(root, "mcp.mjs"))}, ${JSON.stringify(workspace)}]
`,
  );
  const systemFolder = options.requirements === undefined ? undefined : join(root, "etc/codex");
  if (systemFolder !== undefined) {
    mkdirSync(systemFolder, { recursive: true });
    const text = options.requirements?.replaceAll("WORKSPACE", workspace) ?? "";
    writeFileSync(join(systemFolder, "requirements.toml"), text);
  }
  return {
    root,
    home,
    workspace,
    systemFolder,
    model,
    env: { PATH: process.env.PATH ?? "", HOME: root, CODEX_HOME: home, SHELL: "/bin/sh" },
    async [Symbol.asyncDispose]() {
      await model.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Returns the command that starts a program with a private `/etc/codex`. */
export function withSystemFolder(
  { root, systemFolder }: SafetyScene,
  argv: readonly string[],
): readonly string[] {
  if (systemFolder === undefined) return argv;
  const script = 'mount -t overlay overlay -o "lowerdir=$1:/etc" /etc || exit 99; shift; exec "$@"';
  return [...ownMounts, "sh", "-c", script, "sh", join(root, "etc"), ...argv];
}

const ownMounts = process.getuid?.() === 0 ? ["unshare", "-m"] : ["unshare", "-Urm"];

/** True if programs can be given a private `/etc/codex` here. */
export const hasOwnMounts = ((): boolean => {
  const root = mkdtempSync(join(tmpdir(), "quire-etc-"));
  try {
    mkdirSync(join(root, "etc"));
    const scene = { root, systemFolder: root } as SafetyScene;
    const [file = "", ...args] = withSystemFolder(scene, ["true"]);
    execFileSync(file, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
})();

/** Returns the files of the workspace that calls have made. */
export function madeIn({ workspace }: SafetyScene): string[] {
  const inside = readdirSync(join(workspace, "private")).filter((name) => name !== "note");
  return [...readdirSync(workspace).filter((name) => /^(made|copy)-/.test(name)), ...inside];
}

/** Returns true if all denied files are as they were. */
export function isIntact({ workspace }: SafetyScene): boolean {
  return ["secret.env", "private/note", "later/a.key"].every(
    (name) => readFileSync(join(workspace, name), "utf8") === `${secret}\n`,
  );
}

/** An MCP server whose every request leaves a file in the workspace. */
const mcpServer = `
import { createInterface } from "node:readline";
import { writeFileSync } from "node:fs";
const workspace = process.argv[2];
const made = (name) => writeFileSync(workspace + "/" + name, "");
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: "tiny", version: "1" },
  }),
  "tools/list": () => ({
    tools: [{ name: "touch", inputSchema: { type: "object", properties: { name: { type: "string" } } } }],
  }),
  "tools/call": (params) => (made(params.arguments.name), { content: [{ type: "text", text: "touched" }] }),
  "resources/list": () => (made("made-list_mcp_resources"), { resources: [] }),
  "resources/templates/list": () => (made("made-list_mcp_resource_templates"), { resourceTemplates: [] }),
  "resources/read": ({ uri }) => (made("made-read_mcp_resource"), { contents: [{ uri, text: "read" }] }),
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = answers[method]?.(params ?? {}) ?? {};
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
});
`;
