import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import {
  checkScript,
  listenScriptedModel,
  type RecordedRequest,
} from "../../src/model/scripted/index.js";
import { CaseBindings } from "../scenario/bindings.js";
import { checkRequest } from "../scenario/expect-request.js";
import { anything, differenceOf } from "../scenario/json-difference.js";
import { RpcClient } from "../scenario/rpc-client.js";
import { prepareRpcPlace } from "../scenario/rpc-place.js";
import { writeStoredThreads } from "../scenario/stored-threads.js";
import { playThreadStep, type ThreadStep } from "../scenario/thread-step.js";
import { valueAt } from "../scenario/value-at.js";
import type { SuiteAdapter } from "../suite.js";

/** The app-server as its clients see it: threads, turns and items. */
export const suite: SuiteAdapter = {
  name: "app_server_v2",
  async run(testCase, { dir }) {
    const bindings = new CaseBindings(dir);
    const [home, workspace] = [join(dir, "home"), join(dir, "workdir")];
    bindings.set("WORKDIR", workspace);
    bindings.set("WORKSPACE", workspace);
    bindings.set("CODEX_HOME", home);
    bindings.set("any", anything);
    const script = checkScript(bindings.fill(testCase.model_turns ?? []));
    await using model = await listenScriptedModel({ script });
    const url = new URL(model.baseUrl).origin;
    const place = await prepareRpcPlace(testCase, dir, url, "mock_provider");
    await writeStoredThreads(testCase, home, bindings);
    const client = new RpcClient({ ...place, cwd: workspace }, "app-server");
    const run: Run = { client, bindings, requests: model.requests };
    const steps = (testCase.steps ?? []) as ThreadStep[];
    try {
      if (!steps.some(isHandshake)) await introduce(client);
      for (const step of steps) {
        const difference = await playThreadStep(step, client, bindings);
        if (difference !== undefined) return difference;
      }
      return await checkAll(testCase.expect, run);
    } finally {
      await client.close();
    }
  },
};

interface Run {
  client: RpcClient;
  bindings: CaseBindings;
  requests: readonly RecordedRequest[];
}

type Expectation = (
  expected: unknown,
  run: Run,
) => string | undefined | Promise<string | undefined>;

/** Cases about the handshake play it themselves. */
function isHandshake({ call, error }: ThreadStep): boolean {
  return call === "initialize" || error?.message === "Not initialized";
}

async function introduce(client: RpcClient): Promise<void> {
  const clientInfo = { name: "suite", title: "Suite", version: "1.0.0" };
  await client.call("initialize", { clientInfo, capabilities: { experimentalApi: true } });
}

async function checkAll(expect: unknown, run: Run): Promise<string | undefined> {
  for (const [name, expected] of Object.entries(expect ?? {})) {
    const check = Object.hasOwn(expectations, name) ? expectations[name] : undefined;
    if (check === undefined) return `unknown expectation ${name}`;
    const difference = await check(run.bindings.fill(expected), run);
    if (difference !== undefined) return `${name}: ${difference}`;
  }
  return undefined;
}

const expectations: Record<string, Expectation> = {
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
      told(client, "item/completed", "item").filter((item) => valueAt(item, "type") === "plan"),
    ),
  plan_deltas_joined: (expected, { client }) =>
    differenceOf(expected, told(client, "item/plan/delta", "delta").join("")),
  rollout_moved_to(expected, { bindings }) {
    const from = bindings.get("PATH");
    if (existsSync(from)) return `${from} is still there`;
    const to = String(expected).replace("<file name>", basename(from));
    const path = join(bindings.get("CODEX_HOME"), to);
    return existsSync(path) ? undefined : `${path} is not there`;
  },
};

function told({ notifications }: RpcClient, name: string, field: string): unknown[] {
  return notifications
    .filter(({ method }) => method === name)
    .map(({ params }) => valueAt(params, field));
}
