import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Cells } from "../../src/cells/cells.js";
import { withSealedStdio } from "../../src/exec/index.js";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.js";
import { type Figure, LeftOut, type Scope } from "../figure.js";
import { interleaved, timed } from "../measure.js";

const limits = { memoryMb: 64, seconds: 60 };
const calls = 200;

/** Cost of scripts that call tools, beside a bare Node in the same sandbox. */
export async function cellFigures({ short, folder }: Scope): Promise<Figure[]> {
  const stateDir = join(folder, "cells");
  mkdirSync(stateDir, { recursive: true });
  const { platform, arch } = process;
  const sandbox = createSandbox({ platform, arch, env: process.env, stateDir });
  const unavailable = await sandbox.unavailable();
  if (unavailable !== undefined) throw new LeftOut(unavailable.message);
  const warm = new Cells({ sandbox, limits });
  try {
    await bareNode(sandbox);
    await run(warm, "text(1)");
    const [bare = 0, first = 0, later = 0, called = 0] = await interleaved(short ? 7 : 25, [
      () => timed(() => bareNode(sandbox)),
      () => firstCell(sandbox),
      () => timed(() => run(warm, "text(1)")),
      () => timed(() => run(warm, `for (let n = 0; n < ${calls}; n++) await tools.echo({ n })`)),
    ]);
    const beside = { name: "a bare Node in its sandbox", value: bare };
    const aims = { first: { atMost: 120 }, later: { atMost: 25 }, calls: { atMost: 100 } };
    return [
      {
        key: "cells.first",
        name: "first script",
        value: first,
        unit: "ms",
        beside,
        aim: aims.first,
      },
      {
        key: "cells.later",
        name: "later script",
        value: later,
        unit: "ms",
        beside,
        aim: aims.later,
      },
      {
        key: "cells.calls",
        name: `a script with ${calls} awaited calls`,
        value: called,
        unit: "ms",
        beside,
        aim: aims.calls,
      },
    ];
  } finally {
    await warm.close();
    sandbox.close();
  }
}

/** Starts the process of the scripts too. */
async function firstCell(sandbox: Sandbox): Promise<number> {
  const cells = new Cells({ sandbox, limits });
  const ms = await timed(() => run(cells, "text(1)"));
  await cells.close();
  return ms;
}

async function run(cells: Cells, source: string): Promise<void> {
  const { signal } = new AbortController();
  const { state, error } = await cells.run(
    {
      source,
      tools: [{ name: "echo", isText: false }],
      described: [],
      calls: { callTool: async (_, text) => ({ text, success: true }), notify() {} },
      signal,
    },
    { yieldMs: 60_000, signal },
  );
  if (state !== "completed")
    throw new Error(`the script ended as ${JSON.stringify(state)}: ${error}`);
}

/** The same executable, options and sandbox, with nothing to do. */
async function bareNode(sandbox: Sandbox): Promise<void> {
  const args = ["--experimental-vm-modules", "--no-warnings", "-e", "0"];
  const launch = await sandbox.isolate({ args, memoryMb: limits.memoryMb * 4 + 512 });
  if (launch instanceof Error) throw launch;
  const child = withSealedStdio(["ignore", "pipe", "inherit", ...launch.descriptors], (stdio) =>
    spawn(launch.file, [...launch.args], { cwd: launch.cwd, env: { ...launch.env }, stdio }),
  );
  launch.spawned(child);
  child.stdout?.resume();
  await once(child, "close");
}
