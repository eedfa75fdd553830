import { failureMessage, startChild } from "../../exec/index.js";
import { endTree, treeOf } from "../../lib/process-tree.js";
import type { ServerProcess, StartConfined } from "../../mcp/index.js";
import { CodexError } from "../../protocol/error.js";
import type { Launch, Sandbox } from "../../sandbox/index.js";

/**
 * Starts server programs in the sandbox: they may do what commands outside of it may, but not read
 * or write what permission rules deny.
 */
export function confinedServers(sandbox: Sandbox): StartConfined {
  return async ({ command, args, env, cwd: workdir }, { rules, cwd }) => {
    const policy = { mode: "danger-full-access", rules } as const;
    const argv = [command, ...args];
    const launch = await sandbox.prepare({ argv, cwd, workdir, env, policy });
    if (launch instanceof CodexError) throw launch;
    const child = await startChild(launch, { stdio: ["pipe", "pipe", "pipe"] });
    if (!("pid" in child)) {
      await launch.ended("");
      throw new Error(failureMessage(child));
    }
    const process = child as ServerProcess;
    launch.onBreach?.(() => void endTree(treeOf(process.pid), 0));
    process.once("exit", () => void launch.ended(""));
    return { process, stdout: settledOutput(process.stdout, launch) };
  };
}

/** Passes output on once the sandbox has settled that it contains nothing denied. */
async function* settledOutput(
  stdout: AsyncIterable<Buffer>,
  { settled }: Pick<Launch, "settled">,
): AsyncGenerator<Buffer> {
  for await (const chunk of stdout) {
    if ((await settled?.()) === false) return;
    yield chunk;
  }
}
