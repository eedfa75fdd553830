import type { Op } from "../../protocol/types.js";
import type { Session } from "../session.js";
import { execApproval, patchApproval } from "./approval.js";
import { compact } from "./compact.js";
import { dynamicToolResponse } from "./dynamic-tool-response.js";
import { getPath } from "./get-path.js";
import { addToHistory, getHistoryEntry } from "./history.js";
import { injectItems } from "./inject-items.js";
import { interrupt } from "./interrupt.js";
import { listCustomPrompts, listMcpTools, listSkills } from "./listing.js";
import { overrideTurnContextOp } from "./override-turn-context.js";
import { requestPermissionsResponse } from "./request-permissions-response.js";
import { resolveElicitation } from "./resolve-elicitation.js";
import { review } from "./review.js";
import { runUserShellCommand } from "./run-user-shell-command.js";
import { setThreadName } from "./set-thread-name.js";
import { steerInput } from "./steer-input.js";
import { threadRollback } from "./thread-rollback.js";
import { userInput } from "./user-input.js";
import { userInputAnswer } from "./user-input-answer.js";
import { userTurn } from "./user-turn.js";

/** Does what one kind of submission asks of a session. */
export type OpHandler<Type extends Op["type"]> = (
  session: Session,
  op: Extract<Op, { type: Type }>,
  id: string,
) => void | Promise<void>;

/** The ops that make or end sessions are the engine's own; all others are a session's. */
type SessionOpType = Exclude<Op["type"], "configure_session" | "shutdown">;

const handlers: { [Type in SessionOpType]: OpHandler<Type> } = {
  add_to_history: addToHistory,
  compact,
  dynamic_tool_response: dynamicToolResponse,
  exec_approval: execApproval,
  get_history_entry_request: getHistoryEntry,
  get_path: getPath,
  inject_items: injectItems,
  interrupt,
  list_custom_prompts: listCustomPrompts,
  list_mcp_tools: listMcpTools,
  list_skills: listSkills,
  override_turn_context: overrideTurnContextOp,
  patch_approval: patchApproval,
  request_permissions_response: requestPermissionsResponse,
  resolve_elicitation: resolveElicitation,
  review,
  run_user_shell_command: runUserShellCommand,
  set_thread_name: setThreadName,
  steer_input: steerInput,
  thread_rollback: threadRollback,
  user_input: userInput,
  user_input_answer: userInputAnswer,
  user_turn: userTurn,
};

/** Hands an op to its handler. */
export async function handleOp(
  session: Session,
  op: Extract<Op, { type: SessionOpType }>,
  id: string,
): Promise<void> {
  const handler = handlers[op.type] as OpHandler<SessionOpType>;
  await handler(session, op, id);
}
