import type { OpHandler } from "./index.js";

/** Aborts the running task; if there is none, the client is still answered, in versions that do. */
export const interrupt: OpHandler<"interrupt"> = (session, _, id) => {
  const { task, history, parts } = session;
  if (task !== undefined) return session.abortAll("interrupted");
  if (!parts.era.engine.answersIdleInterrupt) return;
  const { newestResponseId: last } = history;
  const bookmark = last === undefined ? {} : { response_id: last };
  session.events.answer(id, { type: "turn_aborted", reason: "interrupted", ...bookmark });
};
