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

/** Whether a line brings a turn, a call, a request or the session to its end. */
export function isTerminal(msg: Json): boolean {
  return /(^answer |_complete$|_end$|_aborted$|\/completed\b|\.completed\b|\.failed$|^error$|\/error$)/.test(
    kindOf(msg),
  );
}
