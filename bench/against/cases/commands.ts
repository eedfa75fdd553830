import { inFlight } from "../../in-flight.js";
import { timed } from "../../measure.js";
import type { AppServer } from "../app-server.js";
import type { Contest } from "../contest.js";
import type { Row, RowHead } from "../rounds.js";
import { withServers } from "./turns.js";

const head: RowHead = {
  key: "commands",
  name: "sandboxed commands (`command/exec`, 16 in flight)",
  unit: "/s",
  better: "more",
};

/** How many commands a client gets run in the sandbox, without a model. */
export function commandRows(contest: Contest): Promise<Row[]> {
  const sides = contest.sides.filter(({ kind }) => kind !== "bare");
  const count = contest.short ? 32 : 160;
  const measure = async (server: AppServer) => {
    const ms = await timed(() => inFlight(16, count, () => runTrue(server)));
    return [(count / ms) * 1000];
  };
  return withServers({ ...contest, sides }, { answer: "hello", warmUp: 1 }, [head], measure);
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
