import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "smol-toml";
import {
  type ConversationStep,
  conversationSteps,
  movedPath,
} from "../scenario/conversation-step.js";
import { anything, differenceOf } from "../scenario/json-difference.js";
import {
  checkExpectations,
  playRpcCase,
  type RpcExpectation,
  type RpcRun,
} from "../scenario/rpc-run.js";
import { playStep } from "../scenario/rpc-step.js";
import type { SuiteAdapter, SuiteCase } from "../suite.js";

/** The server as its clients see it, over JSON-RPC v1 and as an MCP server. */
export const suite: SuiteAdapter = {
  name: "rpc_scenarios",
  run: (testCase, { dir }) =>
    playRpcCase(testCase, dir, {
      surface: "mcp",
      provider: "mock",
      async play(run) {
        await run.client.initialize();
        return testCase.kind === "mcp_tool" ? runTool(testCase, run) : runSteps(testCase, run);
      },
    }),
};

async function runSteps(testCase: SuiteCase, run: RpcRun): Promise<string | undefined> {
  for (const step of (testCase.steps ?? []) as ConversationStep[]) {
    const difference = await playStep(conversationSteps, step, run.client, run.bindings);
    if (difference !== undefined) return difference;
  }
  return checkExpectations(testCase.expect, run, expectations);
}

/** Calls a tool and answers the requests of the server meanwhile. */
async function runTool(testCase: SuiteCase, run: RpcRun): Promise<string | undefined> {
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
  return difference === undefined
    ? checkExpectations(expected, run, expectations)
    : `result: ${difference}`;
}

/** The call is the second request of the client. */
function withCallId(params: object): object {
  return { ...params, codex_mcp_tool_call_id: "1" };
}

const expectations: Record<string, RpcExpectation> = {
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
    const wasNotified = client.notifications.some(({ method, params }) => {
      const type = (params as { msg?: { type?: string } } | undefined)?.msg?.type;
      return method === "codex/event" && type === "task_complete";
    });
    return differenceOf(expected, wasNotified);
  },
  model_request_instructions_start_with(expected, { requests }) {
    const { instructions = "" } = (requests[0]?.body ?? {}) as { instructions?: string };
    return instructions.startsWith(String(expected)) ? undefined : instructions.slice(0, 80);
  },
};
