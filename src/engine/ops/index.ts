import type { Op } from "../../protocol/types.js";
import type { Session } from "../session.js";
import {
  dynamicToolResponse,
  execApproval,
  patchApproval,
  requestPermissionsResponse,
  resolveElicitation,
  userInputAnswer,
} from "./answers.js";
import {
  injectItems,
  interrupt,
  overrideTurnContextOp,
  steerInput,
  userInput,
  userTurn,
} from "./input.js";
import type { OpHandler } from "./op-handler.js";
import {
  addToHistory,
  compact,
  getHistoryEntry,
  getPath,
  listCustomPrompts,
  listMcpTools,
  listSkills,
  review,
  setThreadName,
  threadRollback,
} from "./thread.js";
import { runUserShellCommand } from "./user-shell.js";

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
