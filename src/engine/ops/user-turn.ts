import { CodexError } from "../../protocol/error.js";
import { checkCwd } from "../cwd.js";
import { regularTask } from "../regular-task.js";
import type { Session } from "../session.js";
import { startTask } from "../task.js";
import type { OpHandler } from "./index.js";

/** Starts a task with settings of its own, which stay; replaces the one that runs. */
export const userTurn: OpHandler<"user_turn"> = async (session, op, id) => {
  checkCwd(op.cwd);
  checkBookmark(session, op.last_response_id);
  session.abortTask("replaced");
  if (op.last_response_id != null) await session.bookmarks.returnTo(op.last_response_id);

  const before = session.context;
  session.override(op);
  session.tellChange(before, id);

  const schema = op.final_output_json_schema;
  startTask(session, id, regularTask(op.items, schema == null ? {} : { outputSchema: schema }));
};

/** An unknown bookmark is refused before anything has changed. */
function checkBookmark(session: Session, responseId: string | null | undefined): void {
  if (responseId == null || session.bookmarks.has(responseId)) return;
  const message = `No response ${responseId} in this conversation to continue from`;
  throw new CodexError("not_found", message, { data: { response_id: responseId } });
}
