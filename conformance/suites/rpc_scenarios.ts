import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "smol-toml";
import {
  checkScript,
  listenScriptedModel,
  type RecordedRequest,
} from "../../src/model/scripted/index.js";
import { CaseBindings } from "../scenario/bindings.js";
import { anything, differenceOf } from "../scenario/json-difference.js";
import { movedPath, playRpcStep, type RpcStep } from "../scenario/rpc-case.js";
import { RpcClient } from "../scenario/rpc-client.js";
import { prepareRpcPlace } from "../scenario/rpc-place.js";
import type { SuiteAdapter, SuiteCase } from "../suite.js";

/** The server as its clients see it, over JSON-RPC v1 and as an MCP server. */
export const suite: SuiteAdapter = {
  name: "rpc_scenarios",
  async run(testCase, { dir }) {
    const bindings = new CaseBindings(dir);
    bindings.set("WORKDIR", join(dir, "workdir"));
    bindings.set("CODEX_HOME", join(dir, "home"));
    bindings.set("any", anything);
    const script = checkScript(bindings.fill(testCase.model_turns ?? []));
    await using model = await listenScriptedModel({ script });
    const place = await prepareRpcPlace(testCase, dir, new URL(model.baseUrl).origin);
    const client = new RpcClient({ ...place, cwd: place.workspace });
    const run: Run = { client, bindings, requests: model.requests };
    try {
      await client.initialize();
      return await (testCase.kind === "mcp_tool"
        ? runTool(testCase, run)
        : runSteps(testCase, run));
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

async function runSteps(testCase: SuiteCase, run: Run): Promise<string | undefined> {
  for (const step of (testCase.steps ?? []) as RpcStep[]) {
    const difference = await playRpcStep(step, run.client, run.bindings);
    if (difference !== undefined) return difference;
  }
  return checkAll(testCase.expect, run);
}

/** Calls a tool and answers what the server asks meanwhile. */
async function runTool(testCase: SuiteCase, run: Run): Promise<string | undefined> {
  const { client, bindings } = run;
  const { elicitation, respond, result, ...expected } = testCase.expect as Record<string, unknown>;
  const params = bindings.fill({ name: testCase.tool, arguments: testCase.arguments });
  const calling = client.call("tools/call", params);
  calling.catch(() => undefined); // when the case ends before the call
  if (elicitation !== undefined) {
    const { request, answer } = await client.request("elicitation/create");
    answer(respond);
    const { method, id, params: asked } = bindings.fill(elicitation) as Record<string, unknown>;
    const wanted = { method, id: id ?? anything, params: withCallId(asked as object) };
    const { method: foundMethod, id: foundId, params: found } = request;
    const difference = differenceOf(wanted, { method: foundMethod, id: foundId, params: found });
    if (difference !== undefined) return `elicitation: ${difference}`;
  }
  const difference = differenceOf(bindings.fill(result), await calling);
  return difference === undefined ? checkAll(expected, run) : `result: ${difference}`;
}

/** The call is the second request of the client. */
function withCallId(params: object): object {
  return { ...params, codex_mcp_tool_call_id: "1" };
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
  server_requests: (count, { client }) => differenceOf(count, client.asked.length),
  moved(expected) {
    const { from, to } = expected as { from: string; to: string };
    if (existsSync(from)) return `${from} is still there`;
    const path = movedPath(to, from);
    return existsSync(path) ? undefined : `${path} is not there`;
  },
  async config_toml_parsed(expected, { bindings }) {
    const text = await readFile(join(bindings.get("CODEX_HOME"), "config.toml"), "utf8");
    return differenceOf(expected, { ...parse(text) });
  },
  auth_json_exists: (expected, { bindings }) =>
    differenceOf(expected, existsSync(join(bindings.get("CODEX_HOME"), "auth.json"))),
  file_exists: (path) => (existsSync(String(path)) ? undefined : `${path} is not there`),
  async file(expected, { bindings }) {
    for (const [name, text] of Object.entries(expected as object)) {
      const found = await readFile(join(bindings.get("WORKDIR"), name), "utf8");
      if (found !== text) return `${name} is ${JSON.stringify(found)}`;
    }
    return undefined;
  },
  task_complete_before_result(expected, { client }) {
    const isTold = client.notifications.some(({ method, params }) => {
      const type = (params as { msg?: { type?: string } } | undefined)?.msg?.type;
      return method === "codex/event" && type === "task_complete";
    });
    return differenceOf(expected, isTold);
  },
  model_request_instructions_start_with(expected, { requests }) {
    const { instructions = "" } = (requests[0]?.body ?? {}) as { instructions?: string };
    return instructions.startsWith(String(expected)) ? undefined : instructions.slice(0, 80);
  },
};
