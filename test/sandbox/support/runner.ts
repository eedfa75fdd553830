// Program for tests: runs confined commands as the user it was started as. Reads one request per
// line from standard input and writes one reply per line.
import { createInterface } from "node:readline";
import { runCommand } from "../../../src/exec/index.js";
import { CodexError } from "../../../src/protocol/error.js";
import { createSandbox, type SandboxOptions } from "../../../src/sandbox/index.js";
import type { RunnerReply, RunnerRequest } from "./confined.js";

const sandboxes = new Map<string, ReturnType<typeof createSandbox>>();

for await (const line of createInterface({ input: process.stdin })) {
  const request: RunnerRequest = JSON.parse(line);
  void answer(request).then((reply) => process.stdout.write(`${JSON.stringify(reply)}\n`));
}

async function answer({ id, options, command, run, hosts }: RunnerRequest): Promise<RunnerReply> {
  try {
    const launch = await sandboxFor(options, hosts).prepare(command);
    if (launch instanceof CodexError) return { id, error: launch.message };
    const { warnings } = launch;
    const result = await runCommand({ launch, ...run });
    return { id, result, warnings: [...warnings], peakMemory: process.resourceUsage().maxRSS };
  } catch (error) {
    return { id, error: `thrown: ${error instanceof Error ? error.stack : String(error)}` };
  }
}

function sandboxFor(options: SandboxOptions, hosts: RunnerRequest["hosts"]) {
  const key = JSON.stringify([options, hosts]);
  const resolveHost = async (name: string) => hosts?.[name] ?? [];
  const sandbox = sandboxes.get(key) ?? createSandbox({ ...options, resolveHost });
  sandboxes.set(key, sandbox);
  return sandbox;
}
