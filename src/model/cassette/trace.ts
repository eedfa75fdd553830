import { asString } from "../../lib/text.js";
import { isRecord, type JsonRecord, parseRecord } from "../../protocol/read/check.js";
import type { CassetteEntry, RecordedResponse } from "./format.js";
import { apiOf } from "./normalize.js";

/** Returns true for a trace: recorded messages of a program, with its model traffic among them. */
export function isTrace(text: string): boolean {
  return parseRecord(text.split("\n", 1)[0] ?? "")?.dir === "meta";
}

/**
 * Reads the model traffic of a trace.
 *
 * Traces omit texts of the reference from the requests, so the entries have no key and are replayed in their order.
 */
export function readTrace(text: string): CassetteEntry[] {
  const requests = new Map<unknown, JsonRecord>();
  const entries: CassetteEntry[] = [];
  for (const line of text.split("\n")) {
    const { dir, msg } = parseRecord(line) ?? {};
    if (!isRecord(msg)) continue;
    if (dir === "model_request") requests.set(msg.n ?? requests.size, msg);
    if (dir !== "model_response") continue;
    const n = entries.length;
    const request = requests.get(msg.n ?? n);
    entries.push({
      n,
      agent: asString(request?.agent) ?? agentOf(request?.body, request?.headers),
      request: { api: apiOf(asString(request?.url) ?? "responses"), body: request?.body },
      response: toResponse(msg),
    });
  }
  return entries;
}

/** Returns the path of the agent that asks: the one that got the last task in its conversation. */
export function agentOf(body: unknown, headers: unknown): string {
  const input = isRecord(body) && Array.isArray(body.input) ? body.input : [];
  const task = input.findLast((item) => isRecord(item) && isTask(item));
  if (isRecord(task)) return asString(task.recipient) ?? rootAgent;
  // A review has this header too, and is a part of the user's conversation.
  const isAgent = isRecord(headers) && headers["x-openai-subagent"] === "collab_spawn";
  return isAgent ? `${rootAgent}/agent` : rootAgent;
}

/** Path of the conversation of the user. */
export const rootAgent = "/root";

function isTask({ type, content }: JsonRecord): boolean {
  const [head] = Array.isArray(content) ? (content as unknown[]) : [];
  const text = isRecord(head) ? (asString(head.text) ?? "") : "";
  return type === "agent_message" && text.startsWith("Message Type: NEW_TASK");
}

function toResponse({ status, headers, sse, body }: JsonRecord): RecordedResponse {
  const code = typeof status === "number" ? status : 200;
  const common = { status: code, status_line: String(code) };
  const given = isRecord(headers) ? (headers as Record<string, string>) : {};
  if (!Array.isArray(sse)) {
    const text = typeof body === "string" ? body : JSON.stringify(body ?? "");
    const type = { "content-type": "application/json" };
    return { ...common, headers: { ...type, ...given }, body: text, ending: "end" };
  }
  const steps: unknown[] = sse;
  const last = steps.findIndex((step) => isRecord(step) && endingOf(step) !== undefined);
  const events = last < 0 ? steps : steps.slice(0, last);
  const stop = steps[last];
  return {
    ...common,
    headers: { "content-type": "text/event-stream", ...given },
    body: withPlaceholders(events.map(toEvent).join("")),
    ending: (isRecord(stop) ? endingOf(stop) : undefined) ?? "end",
  };
}

function endingOf(step: JsonRecord): RecordedResponse["ending"] | undefined {
  if (step.$cut) return "cut";
  if (step.$hang) return "open";
  return step.$end ? "end" : undefined;
}

function toEvent(step: unknown): string {
  const type = isRecord(step) ? asString(step.type) : undefined;
  return type === undefined ? "" : `event: ${type}\ndata: ${JSON.stringify(step)}\n\n`;
}

function withPlaceholders(text: string): string {
  return text.replaceAll("<WORKSPACE>", "{{cwd}}").replaceAll("<CODEX_HOME>", "{{home}}");
}
