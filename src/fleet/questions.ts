import type { EventMsg, Op } from "../protocol/types.js";

/**
 * Returns the key of the question that an event puts to the clients; undefined if it puts none.
 *
 * It is the id of the call, or the MCP server and the id of its request, as the server has them.
 */
export function questionOf(msg: EventMsg): string | undefined {
  switch (msg.type) {
    case "exec_approval_request":
    case "apply_patch_approval_request":
    case "request_permissions":
    case "request_user_input":
      return msg.call_id;
    case "dynamic_tool_call_request":
      return msg.callId;
    case "elicitation_request":
      return `${msg.server_name} ${msg.id}`;
    default:
      return undefined;
  }
}

/** Returns the key of the question that an op answers; undefined if it answers none. */
export function answerOf(op: Op): string | undefined {
  switch (op.type) {
    case "exec_approval":
    case "patch_approval":
    case "request_permissions_response":
    case "user_input_answer":
    case "dynamic_tool_response":
      return op.id;
    case "resolve_elicitation":
      return `${op.server_name} ${op.request_id}`;
    default:
      return undefined;
  }
}

/**
 * Tells the questions of a thread apart: a call may ask twice, and models reuse ids.
 *
 * A question has a number behind its key if an earlier one with the same key was answered. Everyone who reads the log from its
 * start gets the same numbers.
 */
export class QuestionNumbers {
  readonly #answered = new Map<string, number>();

  /** Follows an event of the log. */
  read(msg: EventMsg): void {
    if (msg.type !== "question_answered") return;
    const key = withoutNumber(msg.key);
    this.#answered.set(key, (this.#answered.get(key) ?? 0) + 1);
  }

  /** Returns the key with the number of the question that is open, or comes next. */
  next(key: string): string {
    const answered = this.#answered.get(key) ?? 0;
    return answered === 0 ? key : `${key}#${answered + 1}`;
  }
}

/** Returns the key of a question without its number. */
export function withoutNumber(key: string): string {
  return key.replace(/#\d+$/, "");
}
