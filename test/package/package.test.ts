import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { build, transform } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { blocksOf } from "../support/doc-blocks.js";
import { installPackage, jsBlocks, type Project } from "../support/installed-package.js";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
let project: Project;

beforeAll(async () => {
  project = await installPackage();
}, 120_000);

afterAll(() => project?.[Symbol.asyncDispose]());

const doors = async () => {
  const { exports } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  return Object.keys(exports)
    .filter((door) => typeof exports[door] === "object")
    .map((door) => `quire-agent${door.slice(1)}`);
};

const turn = `
const codex = new Codex();
codex.startThread({ ephemeral: true }).run("hi").then(async ({ finalResponse }) => {
  console.log(finalResponse);
  await codex.close();
});
`;

describe("the installed package", () => {
  test("[embedding B3, documents D0] every door opens, and a program with a turn ends by itself", async () => {
    const imports = (await doors()).map((door) => `await import(${JSON.stringify(door)});`);
    const text = `import { Codex } from "quire-agent";\n${imports.join("\n")}${turn}`;
    const file = await project.write("doors.mjs", text);

    expect(await project.run(file)).toEqual({ stdout: "Hello.\n", requests: 1 });
  });

  test("[embedding R5] every door can be required", async () => {
    const loads = (await doors()).map((door) => `require(${JSON.stringify(door)});`);
    const text = `const { Codex } = require("quire-agent");\n${loads.join("\n")}${turn}`;
    const file = await project.write("doors.cjs", text);

    expect(await project.run(file)).toEqual({ stdout: "Hello.\n", requests: 1 });
  });

  test("[embedding M6] a bundle of the client for a page needs no module of Node", async () => {
    const text = `import { connectAppServer } from "quire-agent/client";
      connectAppServer("ws://127.0.0.1:1").then(console.log);`;
    const entry = await project.write("page.mjs", text);

    const { warnings, metafile } = await build({
      entryPoints: [entry],
      outdir: join(project.folder, "page"),
      bundle: true,
      splitting: true,
      platform: "browser",
      format: "esm",
      metafile: true,
      absWorkingDir: project.folder,
      logLevel: "silent",
    });

    const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
    expect(warnings).toEqual([]);
    expect(imports.filter(({ external }) => external)).toEqual([]);
  });

  test.each(["esm", "cjs"] as const)(
    "[embedding B8] an esbuild bundle as %s runs",
    async (format) => {
      const entry = await project.write("entry.mjs", `import { Codex } from "quire-agent";${turn}`);
      const outfile = join(project.folder, format === "esm" ? "bundle.mjs" : "bundle.cjs");
      const { warnings } = await build({
        entryPoints: [entry],
        outfile,
        bundle: true,
        platform: "node",
        format,
        absWorkingDir: project.folder,
        logLevel: "silent",
      });

      expect(warnings.filter(({ text }) => !text.includes("node-pty"))).toEqual([]);
      expect(await project.run(outfile)).toEqual({ stdout: "Hello.\n", requests: 1 });
    },
  );

  test("[embedding B3] its declarations pass a strict compiler, and find the mistakes of a program", async () => {
    const imports = (await doors()).map((door, at) => `import * as door${at} from "${door}";`);
    await project.write("use.mts", [...imports, ownParts].join("\n"));
    await project.write("use.cts", commonJs);
    await project.write("migrated.mts", migrated);
    await project.write("wrong.mts", wrong);
    for (const name of examples) {
      await project.write(name, await readFile(join(root, "examples", name), "utf8"));
    }
    const compilerOptions = {
      target: "es2023",
      lib: ["es2023", "esnext.disposable"],
      module: "nodenext",
      strict: true,
      exactOptionalPropertyTypes: true,
      allowJs: true,
      checkJs: true,
      skipLibCheck: false,
      noEmit: true,
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")],
    };
    const config = {
      compilerOptions,
      files: ["use.mts", "use.cts", "migrated.mts", "wrong.mts", ...examples],
    };
    await project.write("tsconfig.json", JSON.stringify(config));
    const tsc = join(root, "node_modules/typescript/bin/tsc");

    const { stdout } = await run(process.execPath, [tsc, "-p", project.folder]).catch(
      (error: { stdout: string }) => error,
    );

    const errors = stdout.split("\n").filter((line) => line.includes("error TS"));
    const mistakes = ["wrong.mts(4,", "wrong.mts(7,", "wrong.mts(10,"];
    expect(errors).toEqual(mistakes.map((mistake) => expect.stringContaining(mistake)));
  }, 120_000);

  test("[embedding GOOD] modules and CommonJS programs compile with `module: node16`", async () => {
    const imports = (await doors()).map((door, at) => `import * as door${at} from "${door}";`);
    const all = imports.map((_, at) => `door${at}`).join(", ");
    const text = `${imports.join("\n")}\nexport const all = [${all}];\n`;
    const files = [
      await project.write("old.mts", text),
      await project.write("old.cts", text),
      await project.write("named.cts", commonJs),
    ];
    const options = ["--strict", "--skipLibCheck", "false", "--noEmit", "--target", "es2022"];
    const resolution = ["--module", "node16", "--moduleResolution", "node16", "--types", "node"];
    const typeRoots = ["--ignoreConfig", "--typeRoots", join(root, "node_modules/@types")];
    const tsc = join(root, "node_modules/typescript/bin/tsc");

    const { stdout } = await run(
      process.execPath,
      [tsc, ...options, ...resolution, ...typeRoots, ...files],
      { cwd: project.folder },
    ).catch((error: { stdout: string }) => error);

    expect(stdout).toBe("");
  }, 120_000);

  test.each(["quire", "quire-agent"])("[embedding B6] the program is there as %s", async (name) => {
    const program = join(project.folder, "node_modules/.bin", name);

    const { stdout } = await run(program, ["--version"]);

    expect(stdout).toMatch(/^quire \d+\.\d+\.\d+\n$/);
  });

  test("[embedding R7] it has what its users need and points to nothing that is not there", async () => {
    const files = await readdir(project.package, { recursive: true });
    const scripts = files.filter((name) => /\.(js|mjs|cjs)$/.test(name));
    const texts = await Promise.all(
      scripts.map((name) => readFile(join(project.package, name), "latin1")),
    );

    expect(files).toEqual(
      expect.arrayContaining([
        "CHANGELOG.md",
        "LICENSE",
        "README.md",
        "dist/THIRD-PARTY-NOTICES.txt",
        "dist/sbom.cdx.json",
      ]),
    );
    expect(files.filter((name) => name.endsWith(".map"))).toEqual([]);
    expect(texts.filter((text) => /^\/\/# sourceMappingURL=/m.test(text))).toEqual([]);
  });

  test("[embedding R8] installing it starts no script", async () => {
    const { scripts } = JSON.parse(await readFile(join(project.package, "package.json"), "utf8"));
    const lifecycle = ["preinstall", "install", "postinstall", "prepare", "preprepare"];

    expect(lifecycle.filter((name) => name in scripts)).toEqual([]);
    expect(existsSync(join(project.package, "binding.gyp"))).toBe(false);
  });
});

describe.each(["README.md", "docs/embedding.md", "docs/migrating.md", "docs/transports.md"])(
  "%s",
  async (page) => {
    test.each(await jsBlocks(page))(
      "[embedding R9] the program in line $line runs",
      async ({ line, code }) => {
        const file = await project.write(`block-${line}.mjs`, code);

        const refused = [{ status: 401, body: { error: { message: "Incorrect API key" } } }];
        const isRefused = code.includes("sk-wrong");

        const { stdout } = await project.run(file, isRefused ? [refused] : undefined);

        expect(stdout).toMatch(isRefused ? /^Check the key\.$/m : /\S/);
      },
    );
  },
);

describe("docs/cassettes.md", () => {
  test.each(blocksOf("docs/cassettes.md").filter(({ info }) => info === "ts"))(
    "the program in line $line runs on a recorded cassette",
    async ({ line, code }) => {
      const record = `import { Codex } from "quire-agent";
        import { recordCassette } from "quire-agent/testing";
        const codex = new Codex({ cassette: await recordCassette("test/fix.cassette") });
        await codex.startThread().run("Fix the failing test");
        await codex.close();`;
      await mkdir(join(project.folder, "test"));
      await project.run(await project.write("record.mjs", record));
      const { code: program } = await transform(code, { loader: "ts", target: "node20" });

      const { stdout, requests } = await project.run(
        await project.write(`cassette-${line}.mjs`, program),
      );

      expect({ stdout, requests }).toEqual({ stdout: "0 []\n", requests: 0 });
    },
  );
});

const examples = [
  "approve-by-policy",
  "embed",
  "many-threads",
  "own-tool",
  "unix-socket-client",
].map((name) => `${name}.mjs`);

/** A program for `@openai/codex-sdk` with another import: every type and option that docs/migrating.md calls the same. */
const migrated = `
import {
  type AgentMessageItem, type ApprovalMode, Codex, type CodexOptions, type CommandExecutionItem, type ErrorItem,
  type FileChangeItem, type Input, type ItemCompletedEvent, type ItemStartedEvent, type ItemUpdatedEvent,
  type McpToolCallItem, type ModelReasoningEffort, type ReasoningItem, type RunResult, type RunStreamedResult,
  type SandboxMode, type Thread, type ThreadError, type ThreadErrorEvent, type ThreadEvent, type ThreadItem,
  type ThreadOptions, type ThreadStartedEvent, type TodoListItem, type TurnCompletedEvent, type TurnFailedEvent,
  type TurnOptions, type TurnStartedEvent, type Usage, type UserInput, type WebSearchItem, type WebSearchMode,
} from "quire-agent";
const options: CodexOptions = { apiKey: "k", baseUrl: "http://h/v1", env: { PATH: "x" }, config: { features: { undo: true } } };
const [sandboxMode, approvalPolicy]: [SandboxMode, ApprovalMode] = ["read-only", "never"];
const [modelReasoningEffort, webSearchMode]: [ModelReasoningEffort, WebSearchMode] = ["low", "disabled"];
const threadOptions: ThreadOptions = {
  model: "m", sandboxMode, approvalPolicy, modelReasoningEffort, webSearchMode, workingDirectory: "/w",
  networkAccessEnabled: false, webSearchEnabled: false, additionalDirectories: ["/x"],
};
const thread: Thread = new Codex(options).startThread(threadOptions);
const part: UserInput = { type: "local_image", path: "a.png" };
const input: Input = [{ type: "text", text: "hi" }, part];
const turn: TurnOptions = { outputSchema: { type: "object" }, signal: new AbortController().signal };
export async function main(): Promise<ThreadError | undefined> {
  const { items, finalResponse, usage }: RunResult = await thread.run(input, turn);
  const spent: Usage | null = usage;
  console.log(items, finalResponse, spent?.cached_input_tokens, thread.id);
  const { events }: RunStreamedResult = await thread.runStreamed("go");
  for await (const event of events) {
    const any: ThreadEvent = event;
    if (any.type === "turn.failed") return any.error;
    if (any.type === "item.completed") show(any.item);
  }
  return undefined;
}
function show(item: ThreadItem): void {
  if (item.type === "command_execution") console.log(item.aggregated_output, item.exit_code);
  if (item.type === "file_change") console.log(item.changes[0]?.kind);
  if (item.type === "mcp_tool_call") console.log(item.server, item.result, item.error);
  if (item.type === "todo_list") console.log(item.items[0]?.completed);
}
export type Events = ItemCompletedEvent | ItemStartedEvent | ItemUpdatedEvent | ThreadErrorEvent | ThreadStartedEvent |
  TurnCompletedEvent | TurnFailedEvent | TurnStartedEvent;
export type Items = AgentMessageItem | CommandExecutionItem | ErrorItem | FileChangeItem | McpToolCallItem | ReasoningItem |
  TodoListItem | WebSearchItem;
`;

/** A program of CommonJS. */
const commonJs = `
import client = require("quire-agent/client");
import { Codex, CodexError, type ThreadEvent } from "quire-agent";
import { defineTool } from "quire-agent/tools";
import { scriptedModel } from "quire-agent/testing";

export class Own extends Codex {}
export const events: ThreadEvent[] = [];
export const failed = (error: unknown): boolean => error instanceof CodexError;
export const made = [new Own({ model: scriptedModel([]) }), defineTool, client.connectAppServer];
`;

/** A number that is a text, twice, and a method that does not exist. */
const wrong = `import { connectAppServer } from "quire-agent/client";
const client = await connectAppServer("unix:///s");
const { data } = await client.request("thread/list", {});
const id: number = data[0]!.id;
client.onNotification((one) => {
  if (one.method !== "item/completed" || one.params.item.type !== "agentMessage") return;
  const text: number = one.params.item.text;
  console.log(text, id);
});
await client.request("thread/rename", {});
`;

/** An engine with a model and a log of its own, as a program with types has it. */
const ownParts = `
import { Codex, type CodexOptions, type EraName } from "quire-agent";
import {
  createLocalParts, createQueues, runCodex,
  type Config, type EngineParts, type ModelClient, type Prompt, type SessionLog, type StreamItem,
} from "quire-agent/engine";
import { Server, serveAppServer, serveQueues, startInProcessAppServer } from "quire-agent/server";
import { linkedChannels } from "quire-agent/transport";

const era: EraName = "0.104";
const options: CodexOptions = { era, apiKey: "k", config: { model: "m" } };
export const codex = new Codex(options);
const model: ModelClient = {
  async *stream(prompt: Prompt): AsyncGenerator<readonly StreamItem[]> {
    yield [{ type: "completed", responseId: prompt.model, usage: undefined }];
  },
  close() {},
};
const log: SessionLog = { path: undefined, append() {}, close: async () => {} };
const place = { env: process.env, cwd: process.cwd() };
const parts: EngineParts = {
  ...createLocalParts({ ...place, era }),
  createModel: async (config: Config) => (config.model === "" ? model : model),
  openLog: () => log,
};
await runCodex(createQueues(), parts);
const [, theirs] = linkedChannels();
await serveQueues(theirs, { parts });
const server = new Server(createLocalParts({ ...place, surface: "json-rpc" }));
await serveAppServer(theirs, server);
await startInProcessAppServer(place).close();
export const all = [${Array.from({ length: 8 }, (_, at) => `door${at}`).join(", ")}];
`;
