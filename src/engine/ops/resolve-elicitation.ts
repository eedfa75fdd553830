import { elicitationKey } from "../mcp-access.js";
import type { OpHandler } from "./index.js";

/** Answers a question of an MCP server. */
export const resolveElicitation: OpHandler<"resolve_elicitation"> = (session, op, id) => {
  const { server_name, request_id, decision, content } = op;
  const answer = { action: decision, ...(content === undefined ? {} : { content }) };
  if (session.elicitations.settle(elicitationKey(server_name, request_id), answer)) return;
  const message = `No question of ${server_name} waits for an answer as ${request_id}`;
  session.emit(id, { type: "error", message });
};
