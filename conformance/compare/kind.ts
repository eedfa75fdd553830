import { isObject, type Json } from "../trace/trace.js";

/** Short name of the kind of a line; lines of one kind are compared with each other. */
export function kindOf(msg: Json): string {
  if (!isObject(msg)) return "text";
  if (typeof msg.method === "string") {
    const detail = isObject(msg.params) ? detailOf(msg.params) : "";
    return `${"id" in msg ? "request " : ""}${msg.method}${detail}`;
  }
  if ("result" in msg || "error" in msg) return `answer ${JSON.stringify(msg.id)}`;
  if (isObject(msg.msg) && typeof msg.msg.type === "string") return msg.msg.type;
  if (typeof msg.type === "string") return `${msg.type}${detailOf(msg)}`;
  return "$text" in msg ? "text" : "object";
}

function detailOf(fields: { [key: string]: Json }): string {
  if (isObject(fields.item)) return ` ${fields.item.type ?? fields.item.item_type ?? ""}`.trimEnd();
  return "";
}

/** Returns true if a line answers a request, or ends a turn or the session. */
export function isTerminal(msg: Json): boolean {
  const kind = kindOf(msg);
  return /^answer |(^|\/)(task_complete|turn_aborted|shutdown_complete|error)$|^turn[/.](completed|failed)$/.test(
    kind,
  );
}

/** Returns true if a line only reports token usage. */
export function isUsage(msg: Json): boolean {
  return /(^|\/)(token_count|thread\/tokenUsage\/updated|account\/rateLimits\/updated)$/.test(
    kindOf(msg),
  );
}

/** Returns true if a line comes from work beside the turn, so that its position is a race. */
export function isFloating(msg: Json): boolean {
  return /(^|\/)(entered_review_mode|mcp_startup_complete)$/.test(kindOf(msg));
}
