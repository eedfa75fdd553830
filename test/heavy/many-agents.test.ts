import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { spawn, wait } from "../support/agents.js";
import { calls, says } from "../support/model.js";
import { startProgram } from "../support/program.js";

const slots = 8;
const rounds = 25;

/** Memory of a process in MB. */
function memoryOf(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

const settings = {
  model: "gpt-6-sol",
  approvalPolicy: "never",
  sandbox: "danger-full-access",
};

interface Line {
  id?: number;
  result?: { thread?: { id: string } };
  method?: string;
  params?: { threadId?: string; item?: { type: string; kind?: string } };
}

test.runIf(process.platform === "linux")(
  "200 agents under one root finish, in their slots and in 60 MB",
  async () => {
    const names = (round: number) =>
      Array.from({ length: slots }, (_, n) => spawn(`agent_${round}_${n}`));
    const pause = calls("exec_command", { cmd: "sleep 0.3", login: false, yield_time_ms: 5000 });
    const round = (n: number) => [names(n), wait, pause];
    await using server = await startProgram({
      args: ["app-server"],
      config: `agents.max_concurrent_threads_per_session = ${slots}\nfeatures.code_mode = false\n`,
      model: {
        answers: [...Array.from({ length: rounds }, (_, n) => round(n)).flat(), says("done")],
        agents: { "*": [says("finished")] },
      },
    });
    server.send({
      id: 0,
      method: "initialize",
      params: { clientInfo: { name: "test", version: "1" } },
    });
    await server.until<Line>(({ id }) => id === 0);
    server.send({ id: 1, method: "thread/start", params: settings });
    const { result } = await server.until<Line>(({ id }) => id === 1);
    const threadId = result?.thread?.id ?? "";
    const before = memoryOf(server.child.pid);
    const input = [{ type: "text", text: "use many helpers" }];
    server.send({ id: 2, method: "turn/start", params: { threadId, input } });
    await server.until<Line>(
      ({ method, params }) => method === "turn/completed" && params?.threadId === threadId,
    );
    const lines = server.lines as Line[];
    const added = memoryOf(server.child.pid) - before;

    const ofAgents = lines.filter(({ params }) => params?.threadId !== threadId);
    const changes = ofAgents.flatMap(({ method }) =>
      method === "turn/started" ? [1] : method === "turn/completed" ? [-1] : [],
    );
    let working = 0;
    const most = Math.max(
      ...changes.map((change) => {
        working += change;
        return working;
      }),
    );
    const ended = lines.filter(
      ({ method, params }) => method === "item/completed" && params?.item?.kind === "completed",
    );
    expect(ended).toHaveLength(slots * rounds);
    expect(working).toBe(0);
    expect(most).toBeLessThanOrEqual(slots);
    expect(added).toBeLessThan(60);
  },
  120_000,
);
