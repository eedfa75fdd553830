import { isObject, type Json } from "../trace/trace.js";

/** What a line is, in a word or two: lines of one kind are compared with each other. */
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

/** Whether a line answers a request or brings a turn or the session to its end. */
export function isTerminal(msg: Json): boolean {
  const kind = kindOf(msg);
  return /^answer |(^|\/)(task_complete|turn_aborted|shutdown_complete|error)$|^turn[/.](completed|failed)$/.test(
    kind,
  );
}

/** Whether a line only says what was used up. */
export function isUsage(msg: Json): boolean {
  return /(^|\/)(token_count|thread\/tokenUsage\/updated|account\/rateLimits\/updated)$/.test(
    kindOf(msg),
  );
}

/** Whether a line comes from something that runs beside the turn, so that its place is a race. */
export function isFloating(msg: Json): boolean {
  return /(^|\/)(entered_review_mode|mcp_startup_complete)$/.test(kindOf(msg));
}
