import { inFlight } from "../../in-flight.js";
import { timed } from "../../measure.js";
import type { AppServer } from "../app-server.js";
import type { Contest } from "../contest.js";
import { withServers } from "../kept-servers.js";
import type { Comparison, Row, RowHead } from "../rounds.js";

const head: RowHead = {
  key: "commands",
  name: "sandboxed commands (`command/exec`, 16 in flight)",
  unit: "/s",
  better: "more",
};

/** Rate of commands that a client runs in the sandbox, without a model. */
export const commands: Comparison = { heads: () => [head], measure };

function measure(contest: Contest): Promise<Row[]> {
  const sides = contest.sides.filter(({ kind }) => kind !== "bare");
  const count = contest.short ? 32 : 160;
  const runAll = async (server: AppServer) => {
    const ms = await timed(() => inFlight(16, count, () => runTrue(server)));
    return [(count / ms) * 1000];
  };
  return withServers({ ...contest, sides }, { answer: "hello", warmUp: 1 }, [head], runAll);
}

async function runTrue(server: AppServer): Promise<void> {
  const sandboxPolicy = {
    type: "workspaceWrite",
    writableRoots: [],
    networkAccess: false,
    excludeTmpdirEnvVar: false,
    excludeSlashTmp: false,
  };
  const params = { command: ["true"], sandboxPolicy };
  const result = await server.request<{ exitCode: number; stderr: string }>("command/exec", params);
  if (result.exitCode !== 0)
    throw new Error(`true ended with ${result.exitCode}: ${result.stderr}`);
}
