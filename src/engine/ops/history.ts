import { appendHistory, readHistoryEntry } from "../../history/index.js";
import type { OpHandler } from "./index.js";

/** Remembers a message the user typed, for the next sessions; nothing is answered. */
export const addToHistory: OpHandler<"add_to_history"> = async (session, { text }) => {
  const { home, history } = session.config;
  const { persistence, max_bytes } = history;
  await appendHistory({
    home,
    settings: { persistence, ...(max_bytes === undefined ? {} : { maxBytes: max_bytes }) },
    entry: { conversation_id: session.id, text },
    clock: session.parts.clock,
  });
};

/** Looks up a message the user typed in some session. */
export const getHistoryEntry: OpHandler<"get_history_entry_request"> = async (session, op, id) => {
  const { offset, log_id } = op;
  const entry = await readHistoryEntry({ home: session.config.home, logId: log_id, offset });
  session.emit(id, {
    type: "get_history_entry_response",
    offset,
    log_id,
    ...(entry === undefined ? {} : { entry }),
  });
};
