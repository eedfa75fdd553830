import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { checkRequest } from "../scenario/expect-request.js";
import { differenceOf } from "../scenario/json-difference.js";
import type { RpcClient } from "../scenario/rpc-client.js";
import { checkExpectations, playRpcCase, type RpcExpectation } from "../scenario/rpc-run.js";
import { playStep } from "../scenario/rpc-step.js";
import { writeStoredThreads } from "../scenario/stored-threads.js";
import { type ThreadStep, threadSteps } from "../scenario/thread-step.js";
import { valueAt } from "../scenario/value-at.js";
import type { SuiteAdapter } from "../suite.js";

/** The app-server as its clients see it: threads, turns and items. */
export const suite: SuiteAdapter = {
  name: "app_server_v2",
  run: (testCase, { dir }) =>
    playRpcCase(testCase, dir, {
      surface: "app-server",
      provider: "mock_provider",
      furnish: ({ home }, bindings) => writeStoredThreads(testCase, home, bindings),
      async play(run) {
        const steps = (testCase.steps ?? []) as ThreadStep[];
        if (!steps.some(isHandshake)) await initialize(run.client);
        for (const step of steps) {
          const difference = await playStep(threadSteps, step, run.client, run.bindings);
          if (difference !== undefined) return difference;
        }
        return checkExpectations(testCase.expect, run, expectations);
      },
    }),
};

/** Cases about the handshake play it themselves. */
function isHandshake({ call, error }: ThreadStep): boolean {
  return call === "initialize" || error?.message === "Not initialized";
}

async function initialize(client: RpcClient): Promise<void> {
  const clientInfo = { name: "suite", title: "Suite", version: "1.0.0" };
  await client.call("initialize", { clientInfo, capabilities: { experimentalApi: true } });
}

const expectations: Record<string, RpcExpectation> = {
  requests(expected, { requests: all }) {
    for (const [index, fields] of (expected as Record<string, unknown>[]).entries()) {
      const request = all[index];
      if (request === undefined) return `${all.length} requests`;
      const difference = checkRequest({ request, all }, fields);
      if (difference !== undefined) return `request ${index}: ${difference}`;
    }
    return undefined;
  },
  request_count: (expected, { requests }) => differenceOf(expected, requests.length),
  server_requests: (expected, { client }) => differenceOf(expected, client.asked.length),
  request_headers(expected, { requests }) {
    for (const [name, value] of Object.entries(expected as object)) {
      const difference = differenceOf(value, requests[0]?.headers[name], name);
      if (difference !== undefined) return difference;
    }
    return undefined;
  },
  async files(expected, { bindings }) {
    for (const [name, text] of Object.entries(expected as object)) {
      const path = join(bindings.get("WORKDIR"), name);
      const found = existsSync(path) ? await readFile(path, "utf8") : null;
      if (found !== text) return `${name} is ${JSON.stringify(found)}`;
    }
    return undefined;
  },
  completed_plan_items: (expected, { client }) =>
    differenceOf(
      expected,
      notifiedFields(client, "item/completed", "item").filter(
        (item) => valueAt(item, "type") === "plan",
      ),
    ),
  plan_deltas_joined: (expected, { client }) =>
    differenceOf(expected, notifiedFields(client, "item/plan/delta", "delta").join("")),
  rollout_moved_to(expected, { bindings }) {
    const from = bindings.get("PATH");
    if (existsSync(from)) return `${from} is still there`;
    const to = String(expected).replace("<file name>", basename(from));
    const path = join(bindings.get("CODEX_HOME"), to);
    return existsSync(path) ? undefined : `${path} is not there`;
  },
};

function notifiedFields({ notifications }: RpcClient, name: string, field: string): unknown[] {
  return notifications
    .filter(({ method }) => method === name)
    .map(({ params }) => valueAt(params, field));
}
