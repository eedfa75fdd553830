import type { OpHandler } from "./index.js";

/** Tells where the conversation is recorded. */
export const getPath: OpHandler<"get_path"> = (session, _op, id) => {
  const { path } = session.parts.log;
  if (path === undefined) {
    const message = "This conversation is not recorded in a file, so it has no path";
    return session.emit(id, { type: "error", message });
  }
  session.emit(id, { type: "conversation_path", conversation_id: session.id, path });
};
