import { isObject, type Json, type Trace } from "../trace/trace.js";

/** Levels of conformance, in the order in which an implementation usually reaches them. */
export const LEVELS = ["handshake", "turns", "approvals", "resume", "history"] as const;

/** A level of conformance. */
export type Level = (typeof LEVELS)[number];

/** Summary of each level, for `--help` and reports. */
export const LEVEL_SUMMARY: Record<Level, string> = {
  handshake: "initialize, errors, configuration and accounts: no request to the model",
  turns: "turns with messages, commands, patches, tools and model errors",
  approvals: "requests of the server that the client answers",
  resume: "resuming and forking threads",
  history: "lists of threads, archive, compaction, rollback and the message history",
};

/** Returns the level of a trace, by the messages in it: the most specific one that they need. */
export function levelOf(trace: Trace): Level {
  const sent = accepted(trace).map(nameOf);
  if (sent.some((name) => /approval$/.test(name)) || hasServerRequest(trace)) return "approvals";
  if (sent.some((name) => /resume|fork/i.test(name)) || trace.meta.command.includes("resume")) {
    return "resume";
  }
  if (sent.some((name) => HISTORY.test(name))) return "history";
  return trace.requests.length > 0 ? "turns" : "handshake";
}

const HISTORY =
  /history|archive|compact|rollback|rewind|listConversations|^thread\/(list|read|search|loaded|turns|items)/i;

/** Messages of the client except the requests that the server refused. */
function accepted({ client, out }: Trace): Json[] {
  const refused = new Set(
    out.map(({ msg }) => (isObject(msg) && "error" in msg ? JSON.stringify(msg.id) : undefined)),
  );
  const messages = client.map(({ msg }) => msg);
  return messages.filter((msg) => !isObject(msg) || !refused.has(JSON.stringify(msg.id)));
}

/** Returns the type of an op or the method of a message; answers have neither. */
function nameOf(msg: Json): string {
  if (!isObject(msg)) return "";
  const { op, method } = msg;
  return String((isObject(op) ? op.type : method) ?? "");
}

function hasServerRequest({ out }: Trace): boolean {
  return out.some(({ msg }) => isObject(msg) && "method" in msg && "id" in msg);
}
