import type { Agent } from "../../agents/index.js";
import type { Event, EventMsg, Op } from "../../protocol/types.js";
import { elicitationKey } from "../mcp-access.js";

/** Op that answers a question of the engine. */
export type AnswerOp = Extract<
  Op,
  {
    type:
      | "exec_approval"
      | "patch_approval"
      | "dynamic_tool_response"
      | "request_permissions_response"
      | "resolve_elicitation"
      | "user_input_answer";
  }
>;

/**
 * Questions of helper agents that the client of the root answers.
 *
 * The events carry the thread and the path of the agent, and the answers of the client are passed to it.
 */
export class ForwardedQuestions {
  /** Agents by the ids of their pending questions. */
  readonly #asked = new Map<string, Agent>();
  readonly #publish: (event: Event) => void;

  constructor(publish: (event: Event) => void) {
    this.#publish = publish;
  }

  /** Passes an event of an agent to the client if it asks something. */
  forward(agent: Agent, event: Event): void {
    const id = questionOf(event.msg);
    if (id !== undefined) {
      for (const one of [id, event.id]) this.#asked.set(one, agent);
      this.#publish({ ...event, agent_path: agent.path });
    }
    if (event.msg.type === "task_complete" || event.msg.type === "turn_aborted") {
      for (const [one, asking] of this.#asked) if (asking === agent) this.#asked.delete(one);
    }
  }

  /** Passes an answer to the agent that asked; returns false if none did. */
  answer(op: AnswerOp): boolean {
    const id =
      op.type === "resolve_elicitation" ? elicitationKey(op.server_name, op.request_id) : op.id;
    const agent = this.#asked.get(id);
    if (agent?.thread === undefined) return false;
    this.#asked.delete(id);
    agent.thread.submit(op);
    return true;
  }
}

/** Returns the id by which a question is answered; undefined for all other events. */
function questionOf(msg: EventMsg): string | undefined {
  switch (msg.type) {
    case "exec_approval_request":
    case "apply_patch_approval_request":
    case "request_user_input":
    case "request_permissions":
      return msg.call_id;
    case "dynamic_tool_call_request":
      return msg.callId;
    case "elicitation_request":
      return elicitationKey(msg.server_name, msg.id);
    default:
      return undefined;
  }
}
