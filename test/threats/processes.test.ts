import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Step } from "../../src/model/scripted/index.js";
import { calls, says } from "../support/model.js";
import { untilGone } from "../support/processes.js";
import { type Agent, startAgent, workspaceOnly } from "./support/agent.js";
import { confinedTest } from "./support/confined-test.js";
import { outputsIn } from "./support/outputs.js";

/** With a sandbox and without one. */
const policies: [string, typeof confinedTest, Record<string, unknown>][] = [
  ["in the sandbox", confinedTest, workspaceOnly],
  ["without a sandbox", test, {}],
];

describe.each(policies)("a command %s", (_, run, policy) => {
  run("PRC-01: that ignores signals is killed with its tree at its time-out", async () => {
    const mark = `mark-${randomUUID()}`;
    const stubborn = `: ${mark}; trap '' TERM INT HUP; echo >> began; while :; do sleep 0.1; done`;
    const script = `setsid sh -c "${stubborn}" & sh -c "${stubborn}" & ${stubborn}`;
    await using agent = await start([
      calls("shell", { command: ["sh", "-c", script], timeout_ms: 500 }),
    ]);

    const events = await agent.turn("t", policy);

    expect(events.find(({ type }) => type === "exec_command_end")).toMatchObject({
      exit_code: 124,
    });
    expect(toolOutputs(agent)[0]).toContain("command timed out after");
    expect(readFileSync(join(agent.workspace, "began"), "utf8")).toBe("\n\n\n");
    expect(processesSaying(mark)).toEqual([]);
  });

  run("PRC-04: that reads its input finds it at its end, by every tool", async () => {
    const script = "cat; echo END";
    const argv = ["sh", "-c", script];
    await using agent = await start([
      calls("shell", { command: argv }, "c1"),
      calls("shell_command", { command: script, login: false }, "c2"),
      calls("exec_command", { cmd: script, login: false }, "c3"),
    ]);
    const began = performance.now();

    await agent.turn("t", policy);

    expect(toolOutputs(agent).map((text) => text.includes("END"))).toEqual([true, true, true]);
    expect(performance.now() - began).toBeLessThan(9_000);
  });

  run("PRC-06: that lets go of its output, or leaves it to others, holds nothing up", async () => {
    await using agent = await start([
      calls("shell", { command: ["sh", "-c", "exec >&- 2>&-; sleep 0.2; exit 5"] }, "c1"),
      calls("shell", { command: ["sh", "-c", "sleep 300 & echo early"] }, "c2"),
      calls("shell", { command: ["sh", "-c", "setsid sleep 300 & echo early"] }, "c3"),
      calls("exec_command", { cmd: "setsid sleep 300 & echo early", login: false }, "c4"),
    ]);
    const began = performance.now();

    const events = await agent.turn("t", policy);

    expect(performance.now() - began).toBeLessThan(9_000);
    const ends = events.filter(({ type }) => type === "exec_command_end");
    expect(ends.map(({ exit_code, stdout }) => [exit_code, stdout])).toEqual([
      [5, ""],
      [0, "early\n"],
      [0, "early\n"],
      [0, "early\n"],
    ]);
    await untilGone(descendantsOf(agent.child.pid));
  });
});

confinedTest(
  "PRC-03: a command that prints 300 MB is bounded in memory and in the model's context",
  async () => {
    const script = "echo FIRST; yes | head -c 300000000; echo LAST";
    await using agent = await start([
      calls("shell", { command: ["sh", "-c", script], timeout_ms: 60_000 }),
    ]);

    await agent.turn("t", workspaceOnly);

    expect(agent.peakMemory()).toBeLessThan(600e6);
    expect(JSON.stringify(agent.model.requests.at(-1)?.body).length).toBeLessThan(2e6);
    expect(toolOutputs(agent)[0]).toContain("FIRST");
    expect(toolOutputs(agent)[0]).toContain("LAST");
  },
);

test("PRC-05: forty commands in one turn leave no zombies", async () => {
  const commands = Array.from({ length: 40 }, (_, n) =>
    calls("shell", { command: ["true"] }, `c${n}`),
  );
  await using agent = await start([...commands.slice(0, 20), commands.slice(20).flat()]);

  const events = await agent.turn("t");

  const ends = events.filter(({ type }) => type === "exec_command_end");
  expect(ends.map(({ exit_code }) => exit_code)).toEqual(new Array(40).fill(0));
  await untilGone(descendantsOf(agent.child.pid));
});

describe.each(policies)("a client that disconnects during a command %s", (_, run, policy) => {
  run.each(["shell", "exec_command"])("leaves nothing running, by %s", async (tool) => {
    const mark = `mark-${randomUUID()}`;
    const stubborn = `: ${mark}; trap '' TERM INT HUP; while :; do sleep 0.05; done`;
    const script = `setsid sh -c "${stubborn}" & touch began; while :; do echo x; sleep 0.05; done`;
    const args = { command: ["sh", "-c", script], cmd: script, login: false, shell: "/bin/sh" };
    await using agent = await start([calls(tool, { ...args, timeout_ms: 60_000 })]);
    void agent.turn("t", policy).catch(() => {});
    while (!existsSync(join(agent.workspace, "began"))) await delay(5);

    agent.child.stdin.destroy();
    agent.child.stdout.destroy();
    await agent.exit;

    await expect.poll(() => processesSaying(mark), { timeout: 1_000 }).toEqual([]);
  });
});

function start(answers: Step[][]): Promise<Agent> {
  return startAgent({ model: [...answers, says("Done.")] });
}

function toolOutputs(agent: Agent): string[] {
  return outputsIn(agent.model.requests.at(-1)?.body);
}

/** Returns all descendants of a process, including zombies. */
function descendantsOf(pid: number): number[] {
  const children = readdirSync("/proc")
    .filter((name) => parentOf(name) === pid)
    .map(Number);
  return [...children, ...children.flatMap(descendantsOf)];
}

function parentOf(name: string): number | undefined {
  if (!/^\d+$/.test(name)) return undefined;
  try {
    const stat = readFileSync(`/proc/${name}/stat`, "latin1");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}

/** Returns processes with a word in their command line, in any process group. */
function processesSaying(word: string): string[] {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, "latin1").includes(word);
    } catch {
      return false;
    }
  });
}
