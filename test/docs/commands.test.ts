import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  listenScriptedModel,
  type ScriptedServer,
  scriptedConfig,
} from "../../src/model/scripted/index.js";
import { calls, says } from "../../src/testing/index.js";
import { bin } from "../support/bin.js";
import { blocksOf, docPages } from "../support/doc-blocks.js";

/** Pages whose commands run as a whole, in order, in tests of their own. */
const asTyped = new Set(["docs/getting-started.md", "docs/fleet.md"]);

/** Commands that are not run here, and why. */
const notHere: readonly [RegExp, string][] = [
  [/^npm ci && npm (?:run demo|test)$/, ".ci/run runs them in a clean clone"],
  [/^npx @modelcontextprotocol\/inspector/, "needs a registry: interop check `mcp-inspector`"],
  [/^exec quire inspect .* -- codex/, "needs the reference: test/cli/commands/inspect runs others"],
  [/^quire fleet worker/, "needs a broker and a repository: docs/fleet.md runs as typed"],
];

/** Commands that open the terminal UI, and refuse to run without a terminal. */
const terminal = /^quire(?: resume(?: --last| ID)?| fork ID)?$/;

/** Commands that fail as they should, with what they report. */
const failures: readonly [RegExp, RegExp][] = [
  [/^quire mcp login search/, /search/],
  [/^quire delete ID/, /--yes|--force|confirm|terminal/],
  [/^quire hooks test PreToolUse/, /./],
  [/^quire hooks explain/, /./],
];

/** Commands that serve until they are interrupted. */
const servers = /^quire web$/;

let root: string;
let model: ScriptedServer;
let sessionId: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "quire-docs-"));
  await Promise.all(["bin", ".codex", "project"].map((name) => mkdir(join(root, name))));
  await symlink(bin, join(root, "bin/quire"));
  // A goal is reached with its first turn; everything else is done at once.
  let reached = 0;
  const answer = ({ input }: Record<string, unknown>) => {
    const last = (input as { type: string }[] | undefined)?.at(-1);
    const hasGoal = last?.type === "message" && JSON.stringify(input).includes("update_goal");
    if (!hasGoal) return says("Done.");
    return calls("update_goal", { status: "complete" }, `goal_${++reached}`);
  };
  model = await listenScriptedModel({ script: [], answer, record: false });
  const { baseUrl } = model;
  const trusted = `[projects.${JSON.stringify(join(root, "project"))}]\ntrust_level = "trusted"\n`;
  await writeFile(join(root, ".codex/config.toml"), `${scriptedConfig({ baseUrl })}${trusted}`);
  await writeFile(join(root, "project/task.md"), "Do it.\n");
  await writeFile(join(root, "project/Makefile"), "test:\n\t@true\n");
  await run("git init -q && git add . && git -c user.name=a -c user.email=a@b commit -qm a");
  const { output } = await run('quire exec --json "Remember this"');
  [, sessionId = ""] = /"thread_id":"([^"]+)"/.exec(output) ?? [];
}, 120_000);

afterAll(async () => {
  await model?.close();
  await rm(root, { recursive: true, force: true });
});

/** Runs a command of a page; `until` interrupts it when its output has that text. */
async function run(
  command: string,
  until?: RegExp,
): Promise<{ code: number | null; output: string }> {
  const env = {
    PATH: `${join(root, "bin")}:${process.env.PATH}`,
    HOME: root,
    SEARCH_TOKEN: "t",
    QUIRE_NO_BROWSER: "1",
  };
  const options = { cwd: join(root, "project"), env, detached: true };
  const child = spawn("bash", ["-c", command], { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (piece) => {
      output += piece;
      if (until?.test(output) && child.pid !== undefined) process.kill(-child.pid, "SIGINT");
    });
  }
  const [code] = await once(child, "close");
  return { code, output };
}

const pages = docPages()
  .filter((page) => !asTyped.has(page))
  .map((page) => ({
    page,
    lines: blocksOf(page)
      .filter(({ info }) => info === "sh")
      .flatMap(linesOf),
  }))
  .filter(({ lines }) => lines.length > 0);

/** Returns the commands of a block; a command may continue on the next line. */
function linesOf({ code }: { code: string }): string[] {
  const whole = code.replaceAll("\\\n", " ");
  return whole
    .split("\n")
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

describe.each(pages)("the commands of $page", ({ lines }) => {
  test.each(lines)("%s", async (line) => {
    if (notHere.some(([pattern]) => pattern.test(line))) return;
    const command = line.replace(/\[--json\]/, "--json").replace(/\bID\b/, sessionId);
    const failure = failures.find(([pattern]) => pattern.test(line))?.[1];

    const { code, output } = await run(command, servers.test(line) ? /https?:\/\// : undefined);

    if (terminal.test(line)) expect(output).toMatch(/terminal/);
    else if (failure !== undefined) expect(output).toMatch(failure);
    else if (!servers.test(line)) expect(code, output).toBe(0);
    else expect(output).toMatch(/https?:\/\//);
  });
});

test("every command that is not run here is in a page, and the others are many", () => {
  const lines = pages.flatMap((page) => page.lines);
  const unused = notHere.filter(([pattern]) => !lines.some((line) => pattern.test(line)));

  expect(unused).toEqual([]);
  expect(lines.length).toBeGreaterThan(30);
});

test("the answers of a run are on standard output alone", async () => {
  await run('quire exec "Write a message" > message.txt');
  expect(await readFile(join(root, "project/message.txt"), "utf8")).toBe("Done.\n");
});
