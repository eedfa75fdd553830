import { isObject, type Json, type OutLine } from "../trace/trace.js";
import { isFloating, isUsage, kindOf } from "./kind.js";

/**
 * Splits lines into groups in which the order is fixed.
 *
 * Newer references run calls while the response still streams, and answer requests beside their events. So
 * the lines of one call, token counts and startup notices each keep their order, but not relative to the
 * rest.
 */
export function splitStreams(lines: OutLine[]): Map<string, OutLine[]> {
  const streams = new Map<string, OutLine[]>();
  for (const line of lines) {
    const name = streamOf(line.msg);
    streams.set(name, [...(streams.get(name) ?? []), line]);
  }
  return streams;
}

/**
 * Splits lines into those of each thread, and these into streams.
 *
 * Threads and calls whose ids differ from run to run are known by the order in which they appear.
 */
export function splitThreads(lines: OutLine[]): Map<string, OutLine[]> {
  const streams = new Map<string, OutLine[]>();
  const threads: string[] = [];
  const calls = new Map<string, string>();
  for (const line of lines) {
    const thread = threadOf(line.msg);
    const at = threads.includes(thread) ? threads.indexOf(thread) : threads.push(thread) - 1;
    const own = streamOf(line.msg);
    if (/exec-|subagent-/.test(own) && !calls.has(own)) calls.set(own, `call ${calls.size}`);
    const name = `thread ${at} ${calls.get(own) ?? own}`;
    streams.set(name, [...(streams.get(name) ?? []), line]);
  }
  return streams;
}

function threadOf(msg: Json): string {
  const params = isObject(msg) ? msg.params : undefined;
  return isObject(params) && typeof params.threadId === "string" ? params.threadId : "";
}

const STARTS =
  /(^|\/)(turn\/started|thread\/started|thread\/settings\/updated|warning|configWarning|startupStatus\/updated)$/;
const PLANS = /(^|\/)(plan_update|turn\/plan\/updated)$/;
const CALLS =
  /^(commandExecution|fileChange|mcpToolCall|dynamicToolCall|collabToolCall|collabAgentToolCall|subAgentActivity|sleep|imageView)$/;

function streamOf(msg: Json): string {
  const kind = kindOf(msg);
  if (isUsage(msg)) return "usage";
  if (isFloating(msg) || STARTS.test(kind)) return kind;
  if (PLANS.test(kind)) return "plans";
  const call = callOf(msg);
  return call === undefined ? "turn" : `call ${call}`;
}

function callOf(msg: Json): string | undefined {
  const params = isObject(msg) ? msg.params : undefined;
  if (!isObject(params)) return undefined;
  const { item, itemId, callId } = params;
  if (isObject(item)) return CALLS.test(String(item.type)) ? String(item.id) : undefined;
  if (isObject(params.msg) && typeof params.msg.call_id === "string") return params.msg.call_id;
  const ofCall = /(commandExecution|fileChange|mcpToolCall|tool)\//.test(kindOf(msg));
  const id = callId ?? (ofCall ? itemId : undefined);
  return typeof id === "string" ? id : undefined;
}
