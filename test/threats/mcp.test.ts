import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Step } from "../../src/model/scripted/index.js";
import { setTrust } from "../config/support/home.js";
import { stdioServer } from "../support/mcp.js";
import { calls, says } from "../support/model.js";
import { untilGone } from "../support/processes.js";
import { type Agent, type Place, startAgent } from "./support/agent.js";
import { outputsIn } from "./support/outputs.js";

/** Starts an agent with one test server, which writes its process id to the workspace. */
async function startWith(mode: string, answers: Step[][], settings = ""): Promise<Agent> {
  const line = await commandLine(mode);
  return startAgent({
    model: [...answers, says("Still here.")],
    tables: `[mcp_servers.t]\ncommand = "/bin/sh"\nargs = ${JSON.stringify(line)}\n${settings}`,
  });
}

async function commandLine(mode: string): Promise<string[]> {
  const { transport } = await stdioServer(mode);
  if (transport.type !== "stdio") throw new Error("It is no program");
  return [
    "-c",
    'echo $$ > server.pid; exec "$0" "$@"',
    transport.command,
    ...(transport.args ?? []),
  ];
}

function pidOf({ workspace }: Place): number {
  return Number(readFileSync(join(workspace, "server.pid"), "utf8"));
}

async function close(agent: Agent): Promise<void> {
  agent.child.stdin.end();
  expect(await agent.exit).toEqual({ code: 0, signal: null });
}

const call = (tool: string, args: unknown = {}) => calls(`mcp__t__${tool}`, args);
const toolOutputs = (agent: Agent) => outputsIn(agent.model.requests.at(-1)?.body);
const last = { type: "task_complete", last_agent_message: "Still here." };

test("MCP-01: a server that exits at once is reported, and the session works without it", async () => {
  await using agent = await startWith("exits", []);

  const events = await agent.turn("t");

  expect(events.at(-1)).toMatchObject(last);
  expect(JSON.stringify(agent.events)).toContain("no licence found");
});

test("MCP-02: a server that never answers is killed after its timeout", async () => {
  await using agent = await startWith("silent", [], "startup_timeout_sec = 1");
  const began = performance.now();

  const events = await agent.turn("t");
  const waited = performance.now() - began;
  const pid = pidOf(agent);
  await close(agent);

  expect(events.at(-1)).toMatchObject(last);
  expect(waited).toBeLessThan(6_000);
  expect(JSON.stringify(agent.events)).toContain("timed out after 1 seconds");
  await untilGone([pid], 1_000);
});

test("MCP-03: banners and broken JSON are ignored", async () => {
  await using agent = await startWith("noisy", [call("fine")]);

  const events = await agent.turn("t");

  expect(events.at(-1)).toMatchObject(last);
  expect(toolOutputs(agent)).toEqual([expect.stringContaining("still fine")]);
});

test("MCP-07: a result of 30 MB is truncated before it reaches the model", async () => {
  await using agent = await startWith("good", [call("big", { bytes: 30_000_000 })]);

  const events = await agent.turn("t");

  expect(events.at(-1)).toMatchObject(last);
  expect(JSON.stringify(agent.model.requests.at(-1)?.body).length).toBeLessThan(1e6);
  expect(toolOutputs(agent)[0]).toContain("truncated");
});

test("MCP-08: a call that is never answered fails after its timeout", async () => {
  await using agent = await startWith("good", [call("hang")], "tool_timeout_sec = 0.5");

  const events = await agent.turn("t");

  expect(events.at(-1)).toMatchObject(last);
  expect(toolOutputs(agent)).toEqual([expect.stringContaining("timed out awaiting tools/call")]);
});

test("MCP-09: a server that dies during a call is an error, and the session continues", async () => {
  await using agent = await startWith("good", [call("die"), call("plain", { text: "back" })]);
  await agent.until("session_configured");

  const events = await agent.turn("t");

  expect(events.at(-1)).toMatchObject(last);
  expect(toolOutputs(agent)).toEqual([
    expect.stringContaining("the server exited with code 7"),
    expect.stringContaining("back"),
  ]);
  await close(agent);
  await untilGone([pidOf(agent)], 1_000);
});

test("MCP-11: a malformed result is an error for the model", async () => {
  await using agent = await startWith("lies", [call("good")]);

  const events = await agent.turn("t");

  expect(events.at(-1)).toMatchObject(last);
  expect(toolOutputs(agent)).toEqual([expect.stringContaining("invalid tool result")]);
});

test("MCP-14: control sequences reach the model as data, and never our output unescaped", async () => {
  const text = "\u001b]52;c;cHduZWQ=\u0007\u001b[2J\u009b1m\u0000";
  await using agent = await startWith("good", [call("plain", { text })]);
  let written = "";
  agent.child.stdout.on("data", (bytes: Buffer) => {
    written += bytes.toString("latin1");
  });

  const events = await agent.turn("t");

  expect(events.at(-1)).toMatchObject(last);
  const content = JSON.parse(toolOutputs(agent)[0] ?? "") as { text: string }[];
  expect(content[0]?.text).toBe(text);
  expect(written).toContain("cHduZWQ=");
  expect([...written].filter((sign) => sign < " " && sign !== "\n")).toEqual([]);
});

describe("MCP-15: a server configured by a repository", () => {
  const evil = 'command = "/bin/sh"\nargs = ["-c", "touch STARTED; exec cat"]\n';
  const projectWith = (place: Place, toml: string) => {
    mkdirSync(join(place.workspace, ".git"));
    writeFileSync(join(place.workspace, ".git/HEAD"), "ref: refs/heads/main\n");
    mkdirSync(join(place.workspace, ".codex"));
    writeFileSync(join(place.workspace, ".codex/config.toml"), toml);
    const other = { mcpServers: { evil: { command: "/bin/sh", args: ["-c", "touch STARTED"] } } };
    writeFileSync(join(place.workspace, ".mcp.json"), JSON.stringify(other));
  };

  test("is not started before the user trusts the project, and the user is notified", async () => {
    await using agent = await startAgent({
      model: [says("Still here.")],
      furnish: (place) => projectWith(place, `[mcp_servers.evil]\n${evil}`),
    });

    await agent.turn("t");
    await delay(100);

    expect(existsSync(join(agent.workspace, "STARTED"))).toBe(false);
    expect(JSON.stringify(agent.events)).toContain("is not a trusted project");
  });

  test("is started once the project is trusted, but not when its command changes", async () => {
    await using first = await startTrusting(`[mcp_servers.evil]\n${evil}`);
    await first.turn("t");
    const asTrusted = existsSync(join(first.workspace, "STARTED"));
    rmSync(join(first.workspace, "STARTED"));
    const change = (toml: string) =>
      writeFileSync(join(first.workspace, ".codex/config.toml"), toml);

    change(`[mcp_servers.evil]\n${evil.replace("exec cat", "touch PWN; exec cat")}`);
    await using second = await startIn(first);
    await second.turn("t");
    change(`[mcp_servers.evil]\n${evil}[mcp_servers.more]\n${evil.replace("STARTED", "MORE")}`);
    await using third = await startIn(first);
    await third.turn("t");
    const afterChanges = namesIn(first);
    await setTrust(first.home, first.workspace, "trusted");
    await using fourth = await startIn(first);
    await fourth.turn("t");

    expect(asTrusted).toBe(true);
    expect(JSON.stringify(second.events)).toContain("MCP server evil is new or changed");
    expect(JSON.stringify(third.events)).toContain("MCP server more is new or changed");
    expect(afterChanges).toEqual(["STARTED"]); // by the third, which has the command of the first
    expect(namesIn(first)).toEqual(["MORE", "STARTED"]);
  });

  function startTrusting(toml: string): Promise<Agent> {
    return startAgent({
      model: { answers: [says("Still here.")], after: "repeat" },
      furnish(place) {
        projectWith(place, toml);
        const trust = `[projects.${JSON.stringify(place.workspace)}]\ntrust_level = "trusted"\n`;
        appendFileSync(join(place.home, "config.toml"), trust);
      },
    });
  }

  /** Starts another program with the home and project of the first. */
  function startIn({ home, workspace, model }: Agent): Promise<Agent> {
    return startAgent({
      args: ["proto"],
      modelUrl: model.baseUrl,
      env: { CODEX_HOME: home },
      cwd: workspace,
    });
  }

  function namesIn({ workspace }: Place): string[] {
    return readdirSync(workspace)
      .filter((name) => !name.startsWith("."))
      .sort();
  }
});
