import type { Agent, AgentControl, SpawnRequest, WaitOutcome } from "../../../src/agents/index.js";
import type { TurnItem } from "../../../src/protocol/types.js";
import type { Tool, ToolContext } from "../../../src/tools/tool.js";

/** Settings of a control that performs nothing. */
export interface FakeAgents {
  agents?: readonly Agent[];
  self?: Agent;
  /** Result of `spawn`. */
  spawned?: Agent | string;
  /** Result of `send` and `resume`. */
  problem?: string;
  waited?: WaitOutcome;
  isDone?: boolean;
}

/** Returns an agent without a thread. */
export function agent(path: string, fields: Partial<Agent> = {}): Agent {
  return {
    path,
    threadId: "01a1ebdf-5919-7de2-8f9c-000000000001",
    parent: root,
    depth: path.split("/").length - 2,
    nickname: "Folio",
    generation: 2,
    role: undefined,
    status: "running",
    thread: undefined,
    ...fields,
  };
}

/** The conversation of the user. */
export const root: Agent = {
  path: "/root",
  threadId: "01a1ebdf-5919-7de2-8f9c-000000000000",
  parent: undefined,
  depth: 0,
  nickname: undefined,
  generation: 2,
  role: undefined,
  status: { completed: null },
  thread: undefined,
};

/** Calls a tool with a control that records its calls. */
export async function callWith(tool: Tool, input: unknown, settings: FakeAgents = {}) {
  const { agents = [], self = root, problem } = settings;
  const calls: unknown[][] = [];
  const items: [string, TurnItem][] = [];
  const record = <Result>(result: Result, ...call: unknown[]): Result => {
    calls.push(call);
    return result;
  };
  const control: AgentControl = {
    self,
    spawn: async (request: SpawnRequest) => record(settings.spawned ?? "", "spawn", request),
    find: async (target) =>
      agents.find(({ path, threadId }) => threadId === target || path.endsWith(target)),
    send: async ({ path }, text, wakes) => record(problem, "send", path, text, wakes),
    interrupt: ({ path, status }) => record(status, "interrupt", path),
    close: async ({ path, status }) => record(status, "close", path),
    resume: async ({ path }) => record(problem, "resume", path),
    list: (prefix) => agents.filter(({ path }) => path.startsWith(prefix ?? "")),
    wait: async (ms) => record(settings.waited ?? "message", "wait", ms),
    waitFor: async (waited, ms) =>
      record(
        settings.isDone ?? true,
        "waitFor",
        waited.map(({ path }) => path),
        ms,
      ),
  };
  const context = {
    callId: "call-1",
    agents: async () => control,
    emitItem: (type: string, item: TurnItem) => items.push([type, item]),
  } as unknown as ToolContext;
  const text = typeof input === "string" ? input : JSON.stringify(input);
  return { output: await tool.run({ text }, context), calls, items };
}
