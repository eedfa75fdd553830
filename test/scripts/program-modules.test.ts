import { execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { listenScriptedModel } from "../../src/model/scripted/index.js";

/** Loads every module of the built program as the first one, and tells which of them that fails for. */
const loadEach = `
  const { readdirSync, readFileSync } = require("node:fs");
  const { dirname, join } = require("node:path");
  const program = require(process.argv[1]);
  const folder = dirname(Object.keys(require.cache).find((name) => /[0-9a-f]{12}.main\\.js$/.test(name)));
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(".js") && name !== "main.js")
    .flatMap((name) => [...readFileSync(join(folder, name), "utf8").matchAll(/^"([^"]+)":function/gm)])
    .map(([, name]) => name);
  const failures = names.flatMap((name) => {
    program.loaded.clear();
    try {
      program.load(name);
      return [];
    } catch (error) {
      return [name + ": " + error.message];
    }
  });
  console.log(JSON.stringify({ isWhole: names.length > 500, failures }));
`;

test("no module of the program needs another one that needs it while both are made", async () => {
  const main = join(import.meta.dirname, "../../dist/cli/main.js");
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", loadEach, main]);

  expect(JSON.parse(stdout)).toEqual({ isWhole: true, failures: [] });
});

/** Runs a command of the built program and prints the files that its modules are from. */
const namesFiles = `
  const [, main, ...args] = process.argv;
  const program = require(main);
  program.main(args, { name: "quire", version: () => "0" }).then(() => {
    const files = new Set([...program.loaded.keys()].map((name) => name.slice(0, name.indexOf("/"))));
    require("node:fs").writeSync(2, "\\n" + JSON.stringify([...files].sort()));
    process.exit();
  });
`;

const jsonSettings = ["-s", "workspace-write", "-c", "hide_agent_reasoning=true"];

test.each([
  ["a plain turn", ["-m", "gpt-5.5"], ["exec", "script", "start", "turn"]],
  [
    "a turn for a program",
    ["-m", "gpt-5.5", "--json", ...jsonSettings],
    ["exec", "script", "start", "turn"],
  ],
  ["a turn of the default model", [], ["cells", "exec", "start", "turn"]],
])("%s reads only the files made for it", async (_, options, files) => {
  const main = join(import.meta.dirname, "../../dist/cli/main.js");
  const home = await mkdtemp(join(tmpdir(), "quire-files-"));
  await using model = await listenScriptedModel({ script: [[{ message: "Hello." }]] });
  const provider = `[model_providers.mock]\nname = "mock"\nbase_url = "${model.baseUrl}"\n`;
  await writeFile(join(home, "config.toml"), `model_provider = "mock"\n${provider}`);
  const env = { PATH: process.env.PATH, HOME: home, CODEX_HOME: home };
  const args = ["-e", namesFiles, main, "exec", "--skip-git-repo-check", ...options, "hi"];
  try {
    const { stderr } = await promisify(execFile)(process.execPath, args, { cwd: home, env });

    expect(JSON.parse(stderr.split("\n").at(-1) ?? "")).toEqual(files);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});

test("the requests of an editor that starts do not read rarely used code", async () => {
  const main = join(import.meta.dirname, "../../dist/cli/main.js");
  const home = await mkdtemp(join(tmpdir(), "quire-files-"));
  const clientInfo = { name: "editor", version: "1" };
  const requests = [
    "model/list",
    "config/read",
    "skills/list",
    "thread/list",
    "mcpServerStatus/list",
  ];
  const lines = [
    { id: 1, method: "initialize", params: { clientInfo } },
    ...requests.map((method, at) => ({ id: at + 2, method, params: {} })),
  ];
  const server = spawn(process.execPath, ["-e", namesFiles, main, "app-server"], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, CODEX_HOME: home },
  });
  try {
    const errors = text(server.stderr);
    for (const line of lines) server.stdin.write(`${JSON.stringify(line)}\n`);
    let answered = 0;
    for await (const line of createInterface(server.stdout)) {
      if (!("id" in JSON.parse(line))) continue;
      answered++;
      if (answered === lines.length) server.stdin.end();
    }

    const files = JSON.parse((await errors).split("\n").at(-1) ?? "");
    expect(answered).toBe(lines.length);
    expect(files).toContain("stored");
    expect(files).not.toContain("rest");
  } finally {
    server.kill();
    await rm(home, { recursive: true, force: true });
  }
});

test("a start and a plain turn read no code of older versions and of tools that they do not offer", async () => {
  const cli = join(import.meta.dirname, "../../dist/cli");
  const main = await readFile(join(cli, "main.js"), "utf8");
  const folder = join(cli, /\.\/(\w+)\//.exec(main)?.[1] ?? "");
  const [start, turn] = await Promise.all(
    ["start.js", "turn.js"].map((name) => readFile(join(folder, name), "latin1")),
  );

  for (const name of ["wireTable", "createV1Methods", "withToolSearch", "withCodeMode"]) {
    const declared = new RegExp(`(?:var|function) ${name}\\b`);
    expect(start, name).not.toMatch(declared);
    expect(turn, name).not.toMatch(declared);
  }
});
