import type { Agent, AgentControl, AgentStatus } from "../../agents/index.js";
import { isUuid } from "../../lib/ids.js";
import type { CollabAgentState, ReasoningEffort } from "../../protocol/types.js";
import { defineTool, offerOnly } from "../define-tool.js";
import { parameters } from "../parameters.js";
import { failed, ok, type Tool, type ToolContext, type ToolOutput } from "../tool.js";
import { type CollabCall, emitCollabCall, toState } from "./collab-call.js";
import { controlOf } from "./control.js";
import { invalidId } from "./invalid-id.js";

/** Name of the group in which models of the first generation know the tools of helper agents. */
export const firstGenerationNamespace = "multi_agent_v1";

const items = {
  type: "array",
  description: "Parts of the message, in place of `message`.",
  items: parameters(
    {
      audio_url: { type: "string", description: "Address of a sound." },
      image_url: { type: "string", description: "Address of an image." },
      name: { type: "string", description: "Name of what is mentioned." },
      path: { type: "string", description: "Path of what is mentioned." },
      text: { type: "string", description: "The text." },
      type: { type: "string", description: "Kind of the part, such as `text`." },
    },
    [],
  ),
} as const;
const message = { type: "string", description: "Text for the agent." } as const;
const target = { type: "string", description: "Id of the agent." } as const;

const spawnAgent = offerOnly(
  defineTool({
    name: "spawn_agent",
    description:
      "Starts a helper agent on a task of its own and returns its id. Wait for its answer with wait_agent.",
    input: parameters(
      {
        fork_context: {
          type: "boolean",
          description: "Lets it start with a copy of this conversation; by default it does not.",
        },
        items,
        message,
        model: { type: "string", description: "Model; by default yours." },
        reasoning_effort: { type: "string", description: "Reasoning effort; by default yours." },
        agent_type: { type: "string", description: "Role of the agent." },
      },
      [],
    ),
    async run(input, context) {
      const text = textOf(input);
      if (typeof text !== "string") return failed(text.problem);
      const control = await controlOf(context);
      const { self } = control;
      const call = {
        tool: "spawnAgent",
        sender: self.threadId,
        receivers: [],
        prompt: text,
        model: input.model ?? "",
        effort: (input.reasoning_effort ?? "medium") as ReasoningEffort,
      } as const;
      let agent: Agent | string = "";
      await emitCollabCall(
        context,
        call,
        async () => {
          agent = await control.spawn({
            message: text,
            history: input.fork_context === true ? "all" : "none",
            model: input.model,
            effort: input.reasoning_effort as never,
            role: input.agent_type,
            asUserInput: true,
          });
          return agent;
        },
        (result) =>
          typeof result === "string"
            ? { status: "failed", states: {} }
            : {
                receivers: [result.threadId],
                model: result.model,
                effort: result.effort,
                states: { [result.threadId]: { status: "pendingInit", message: null } },
              },
      );
      if (typeof agent === "string") return failed(agent);
      const { threadId, nickname } = agent as Agent;
      return ok(JSON.stringify({ agent_id: threadId, nickname }));
    },
  }),
  ["fork_context", "items", "message", "model", "reasoning_effort"],
);

const sendInput = defineTool({
  name: "send_input",
  description: "Gives an agent more input. One that has finished starts again with what it knows.",
  input: parameters(
    {
      interrupt: { type: "boolean", description: "Ends what it is doing first." },
      items,
      message,
      target,
    },
    ["target"],
  ),
  async run(input, context) {
    const text = textOf(input);
    if (typeof text !== "string") return failed(text.problem);
    return withAgent(
      context,
      { tool: "sendInput", prompt: text },
      input.target,
      async (agent, control) => {
        if (input.interrupt === true) control.interrupt(agent);
        const problem = await control.send(agent, text, true);
        return problem === undefined
          ? ok(JSON.stringify({ submission_id: context.callId }))
          : failed(problem);
      },
    );
  },
});

const closeAgent = defineTool({
  name: "close_agent",
  description: "Ends an agent that is no longer needed and returns its last status.",
  input: parameters({ target }, ["target"]),
  run: ({ target }, context) =>
    withAgent(context, { tool: "closeAgent" }, target, async (agent, control) =>
      ok(JSON.stringify({ previous_status: await control.close(agent) })),
    ),
});

const resumeAgent = defineTool({
  name: "resume_agent",
  description: "Loads an agent that was closed, so that it can be given input again.",
  input: parameters({ id: target }, ["id"]),
  run: ({ id }, context) =>
    withAgent(context, { tool: "resumeAgent" }, id, async (agent, control) => {
      const problem = await control.resume(agent);
      return problem === undefined ? ok(JSON.stringify({ status: agent.status })) : failed(problem);
    }),
});

const defaultWaitMs = 30_000;
const shortestWaitMs = 10_000;
const longestWaitMs = 3_600_000;

const waitAgent = defineTool({
  name: "wait_agent",
  description:
    "Waits until one of some agents has finished, and returns the status of those that have.",
  input: parameters(
    {
      targets: { type: "array", items: { type: "string" }, description: "Ids of the agents." },
      timeout_ms: {
        type: "number",
        description: `Longest time to wait: ${shortestWaitMs} to ${longestWaitMs}; default ${defaultWaitMs}.`,
      },
    },
    ["targets"],
  ),
  async run({ targets, timeout_ms = defaultWaitMs }, context) {
    if (targets.length === 0) return failed("agent ids must be non-empty");
    const wrong = targets.find((id) => !isUuid(id));
    if (wrong !== undefined) return failed(invalidId(wrong));
    const control = await controlOf(context);
    const found = await Promise.all(targets.map((id) => control.find(id)));
    const agents = found.filter((agent) => agent !== undefined);
    const time = Math.min(Math.max(timeout_ms, shortestWaitMs), longestWaitMs);
    const call = { tool: "wait", sender: control.self.threadId, receivers: targets } as const;
    const isDone = await emitCollabCall(
      context,
      call,
      () => (agents.length === 0 ? Promise.resolve(true) : control.waitFor(agents, time)),
      () => ({ states: statesOf(targets, found) }),
    );
    const ended = targets.flatMap((id, at) => {
      const status = found[at]?.status ?? "not_found";
      return status === "running" || status === "pending_init" ? [] : [[id, status]];
    });
    return ok(JSON.stringify({ status: Object.fromEntries(ended), timed_out: !isDone }));
  },
});

/** Runs an operation on an agent and reports it; a wrong id fails the call. */
async function withAgent(
  context: ToolContext,
  call: Pick<CollabCall, "tool" | "prompt">,
  id: string,
  run: (agent: Agent, control: AgentControl) => Promise<ToolOutput>,
): Promise<ToolOutput> {
  if (!isUuid(id)) return failed(invalidId(id));
  const control = await controlOf(context);
  const agent = await control.find(id);
  const before: AgentStatus = agent?.status ?? "not_found";
  return emitCollabCall(
    context,
    { ...call, sender: control.self.threadId, receivers: [id] },
    async () =>
      agent === undefined ? failed(`agent with id ${id} not found`) : run(agent, control),
    ({ success }) => ({
      status: success ? "completed" : "failed",
      states: { [id]: toState(before) },
    }),
  );
}

function statesOf(
  ids: readonly string[],
  agents: readonly (Agent | undefined)[],
): Record<string, CollabAgentState> {
  const states = ids.map((id, at) => [id, toState(agents[at]?.status ?? "not_found")]);
  return Object.fromEntries(states) as Record<string, CollabAgentState>;
}

function textOf({
  message: text,
  items: parts,
}: {
  message?: string;
  items?: { text?: string; path?: string; image_url?: string }[];
}): string | { problem: string } {
  if (text !== undefined && parts !== undefined) {
    return { problem: "Provide either message or items, but not both" };
  }
  if (text !== undefined) return text;
  if (parts === undefined) return { problem: "Provide one of: message or items" };
  return parts.map((part) => part.text ?? part.path ?? part.image_url ?? "").join("\n");
}

/** The tools of helper agents for models of the first generation. */
export const firstGenerationTools: readonly Tool[] = [
  spawnAgent,
  resumeAgent,
  closeAgent,
  waitAgent,
  sendInput,
];
