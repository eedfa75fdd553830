import type { Agent, AgentControl, AgentStatus, WaitOutcome } from "../../agents/index.js";
import { defineTool, offerOnly } from "../define-tool.js";
import { parameters } from "../parameters.js";
import { failed, ok, type Tool, type ToolContext, type ToolOutput } from "../tool.js";
import { emitCollabCall } from "./collab-call.js";
import { controlOf } from "./control.js";

/** Name of the group in which models of 2026 know the tools of helper agents. */
export const collaborationNamespace = "collaboration";

const message = {
  type: "string",
  description: "Text for the agent. It sees nothing of your conversation but what it started with.",
  encrypted: true,
} as const;
const target = {
  type: "string",
  description: "Name of the agent, relative to you, or its whole path such as /root/tests.",
} as const;

const spawnAgent = offerOnly(
  defineTool({
    name: "spawn_agent",
    description:
      "Starts a helper agent on a task of its own. It works at the same time as you, with the same files and " +
      "permissions, and its answer is delivered to you as a message when it has finished. Use it for " +
      "separate parts of the work.",
    input: parameters(
      {
        fork_turns: {
          type: "string",
          description:
            "How much of your conversation it starts with: `all` (default), `none`, or a number of turns.",
        },
        message,
        model: { type: "string", description: "Model; by default yours." },
        reasoning_effort: { type: "string", description: "Reasoning effort; by default yours." },
        task_name: {
          type: "string",
          description: "Short name: lowercase letters, digits and underscores.",
        },
        agent_type: { type: "string", description: "Role of the agent." },
      },
      ["task_name", "message"],
    ),
    async run(input, context) {
      const history = toHistory(input.fork_turns ?? "all");
      if (history === undefined) return failed("fork_turns must be `none` or `all`");
      const agent = await (await controlOf(context)).spawn({
        name: input.task_name,
        message: input.message,
        history,
        model: input.model,
        effort: input.reasoning_effort as never,
        role: input.agent_type,
      });
      return typeof agent === "string"
        ? failed(agent)
        : ok(JSON.stringify({ task_name: agent.path }));
    },
  }),
  ["fork_turns", "message", "model", "reasoning_effort", "task_name"],
  ["task_name", "message"],
);

function toHistory(turns: string): "all" | "none" | number | undefined {
  if (turns === "all" || turns === "none") return turns;
  return /^[1-9]\d{0,5}$/.test(turns) ? Number(turns) : undefined;
}

const sendMessage = defineTool({
  name: "send_message",
  description:
    "Sends a message to another agent. It reads the message with its next request; an agent that has " +
    "finished is not started by it.",
  input: parameters({ message, target }, ["target", "message"]),
  run: ({ target, message }, context) => send(target, message, false, context),
});

const followupTask = defineTool({
  name: "followup_task",
  description:
    "Gives an agent another task. One that has finished starts again with what it knows; one that works " +
    "reads it with its next request.",
  input: parameters({ message, target }, ["target", "message"]),
  run: ({ target, message }, context) => send(target, message, true, context),
});

async function send(
  target: string,
  text: string,
  wakes: boolean,
  context: ToolContext,
): Promise<ToolOutput> {
  const control = await controlOf(context);
  const agent = await control.find(target);
  if (agent === undefined) return failed(notFound(target, control));
  const problem = await control.send(agent, text, wakes);
  return problem === undefined ? ok("") : failed(problem);
}

const shortestWaitMs = 10_000;
const longestWaitMs = 3_600_000;

const waitAgent = defineTool({
  name: "wait_agent",
  description:
    "Waits until a message of another agent arrives, such as the answer of one that has finished. The message " +
    "itself follows after the result.",
  input: parameters(
    {
      timeout_ms: {
        type: "number",
        description: "Longest time to wait: 10000 to 3600000; default 30000.",
      },
    },
    [],
  ),
  async run({ timeout_ms = 30_000 }, context) {
    if (timeout_ms > longestWaitMs) return failed(`timeout_ms must be at most ${longestWaitMs}`);
    const { self, wait } = await controlOf(context);
    const time = Math.max(timeout_ms, shortestWaitMs);
    const call = { tool: "wait", sender: self.threadId, receivers: [] } as const;
    const outcome = await emitCollabCall(context, call, () => wait(time));
    const clamped =
      time === timeout_ms
        ? ""
        : `\n\nRequested timeout of ${timeout_ms}ms was clamped to the minimum of ${shortestWaitMs}ms.`;
    return ok(
      JSON.stringify({
        message: `${waitTexts[outcome]}${clamped}`,
        timed_out: outcome === "timeout",
      }),
    );
  },
});

const waitTexts: Record<WaitOutcome, string> = {
  message: "Wait completed.",
  input: "Wait interrupted by new input.",
  timeout: "Wait timed out.",
};

const interruptAgent = defineTool({
  name: "interrupt_agent",
  description: "Ends what an agent is doing. It can be given another task afterwards.",
  input: parameters({ target }, ["target"]),
  async run({ target }, context) {
    const control = await controlOf(context);
    const agent = await control.find(target);
    if (agent === undefined) return failed(notFound(target, control));
    if (agent.parent === undefined) return failed("root is not a spawned agent");
    return ok(JSON.stringify({ previous_status: shownStatus(control.interrupt(agent)) }));
  },
});

const listAgents = defineTool({
  name: "list_agents",
  description: "Lists the agents and what they are doing.",
  input: parameters(
    { path_prefix: { type: "string", description: "Only agents at or below this path." } },
    [],
  ),
  isReadOnly: () => true,
  async run({ path_prefix }, context) {
    const agents = (await controlOf(context)).list(path_prefix).map((agent) => ({
      agent_name: agent.path,
      agent_status: agent.parent === undefined ? "running" : shownStatus(agent.status),
    }));
    return ok(JSON.stringify({ agents }));
  },
});

function shownStatus(status: AgentStatus): Agent["status"] {
  return status === "pending_init" ? "running" : status;
}

function notFound(target: string, { self }: AgentControl): string {
  const path = target.startsWith("/") ? target : `${self.path}/${target}`;
  return `live agent path \`${path}\` not found`;
}

/** The tools of helper agents for models of 2026, in the order in which they know them. */
export const collaborationTools: readonly Tool[] = [
  followupTask,
  interruptAgent,
  listAgents,
  sendMessage,
  spawnAgent,
  waitAgent,
];
