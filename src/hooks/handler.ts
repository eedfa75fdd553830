import type { HookEventFacts } from "./events.js";
import { isCount, isJson, nonEmpty, optional } from "./handler-fields.js";
import { usualContextLimit } from "./identity.js";
import { isRecord, type Problems, shown } from "./problems.js";

/** What a hook runs. */
export type HookHandler =
  | { type: "command"; command: string }
  | { type: "mcp_tool"; server: string; tool: string; input: Readonly<Record<string, unknown>> }
  | { type: "http"; url: string; headers: Readonly<Record<string, string>> };

/** A handler of a file with its options. */
export interface CheckedHandler {
  handler: HookHandler;
  timeoutSec: number;
  isAsync: boolean;
  statusMessage: string | undefined;
  additionalContextLimit: number | undefined;
  onFailure: "deny" | "continue" | undefined;
  /** The values that its hash covers. */
  identity: Readonly<Record<string, unknown>>;
}

const commonKeys = ["type", "timeout", "statusMessage", "on_failure"];
const keysOf: Readonly<Record<HookHandler["type"], readonly string[]>> = {
  command: ["command", "commandWindows", "command_windows", "async", "additionalContextLimit"],
  mcp_tool: ["server", "tool", "input"],
  http: ["url", "headers", "additionalContextLimit"],
};

/** Kinds of the reference that no version runs. */
const unsupported = new Set(["prompt", "agent"]);

/** Checks a handler; returns undefined if it has problems, or is skipped with a warning. */
export function checkHandler(
  value: unknown,
  event: HookEventFacts,
  eventName: string,
  problems: Problems,
): CheckedHandler | undefined {
  if (!isRecord(value)) return problems.expected("a table", value);
  const { type } = value;
  if (typeof type === "string" && unsupported.has(type)) return skip(type, event, problems);
  if (typeof type !== "string" || !Object.hasOwn(keysOf, type)) {
    return problems.at("type").expected('one of "command", "mcp_tool", "http"', type);
  }
  const kind = type as HookHandler["type"];
  const before = problems.count;
  problems.unknownKeys(value, [...commonKeys, ...keysOf[kind]]);
  const handler = handlerOf(kind, value, problems);
  const timeoutSec = timeoutOf(value, event, eventName, problems);
  const options = {
    statusMessage: optional("string", value, "statusMessage", problems),
    additionalContextLimit: contextLimitOf(value, event, eventName, problems),
    onFailure: failureOf(value, event, eventName, problems),
  };
  const isAsync = optional("boolean", value, "async", problems) ?? false;
  if (kind === "mcp_tool" && eventName === "SessionEnd") {
    problems.add("`mcp_tool` cannot run at the end of a session; use a `command`");
  }
  if (problems.count > before || handler === undefined) return undefined;
  const limit = options.additionalContextLimit;
  const { onFailure } = options;
  const identity = {
    ...handler,
    ...(kind === "command" ? { async: isAsync } : {}),
    timeout: timeoutSec,
    statusMessage: options.statusMessage,
    additionalContextLimit: limit === usualContextLimit ? undefined : limit,
    on_failure: onFailure === "deny" ? onFailure : undefined,
  };
  // The session must not end before it.
  const runsAsync = isAsync && eventName !== "SessionEnd";
  if (isAsync && !runsAsync) problems.warn("an async SessionEnd hook runs synchronously");
  return { handler, timeoutSec, isAsync: runsAsync, ...options, identity };
}

/** A rule that would not be enforced is an error; one that only observes is skipped. */
function skip(type: string, event: HookEventFacts, problems: Problems): undefined {
  if (event.canBlock || event.canDeny) {
    problems
      .at("type")
      .add(
        `${shown(type)} hooks are not supported, so what it forbids would be allowed; ` +
          'expected one of "command", "mcp_tool", "http"',
      );
  } else problems.warn(`${type} hooks are not supported; this one is skipped`);
}

function handlerOf(
  type: HookHandler["type"],
  value: Readonly<Record<string, unknown>>,
  problems: Problems,
): HookHandler | undefined {
  if (type === "command") {
    const windows =
      optional("string", value, "commandWindows", problems) ??
      optional("string", value, "command_windows", problems);
    const usual = nonEmpty(value, "command", problems);
    const command = process.platform === "win32" ? (windows ?? usual) : usual;
    return command === undefined ? undefined : { type, command };
  }
  if (type === "http") {
    const url = urlOf(value, problems);
    const headers = headersOf(value, problems);
    return url === undefined ? undefined : { type, url, headers };
  }
  const server = nonEmpty(value, "server", problems);
  const tool = nonEmpty(value, "tool", problems);
  const input = value.input ?? {};
  if (!isRecord(input) || !isJson(input)) {
    return problems.at("input").expected("a table of JSON values without null", value.input);
  }
  return server === undefined || tool === undefined ? undefined : { type, server, tool, input };
}

function urlOf(value: Readonly<Record<string, unknown>>, problems: Problems): string | undefined {
  const url = nonEmpty(value, "url", problems);
  if (url === undefined) return undefined;
  const isHttp = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  return isHttp ? url : problems.at("url").expected("an http or https URL", url);
}

function headersOf(
  { headers = {} }: Readonly<Record<string, unknown>>,
  problems: Problems,
): Record<string, string> {
  const entries = isRecord(headers) ? Object.entries(headers) : undefined;
  if (entries?.every(([, text]) => typeof text === "string"))
    return headers as Record<string, string>;
  problems.at("headers").expected("a table of strings", headers);
  return {};
}

function timeoutOf(
  { timeout }: Readonly<Record<string, unknown>>,
  event: HookEventFacts,
  eventName: string,
  problems: Problems,
): number {
  const { usual, most } = event.timeout;
  if (timeout === undefined || timeout === null) return usual;
  if (!isCount(timeout)) {
    problems.at("timeout").expected("a whole number of seconds", timeout);
    return usual;
  }
  if (timeout > most) problems.warn(`${eventName} hooks end after at most ${most} s`);
  return Math.min(Math.max(timeout, 1), most);
}

function contextLimitOf(
  { additionalContextLimit: limit }: Readonly<Record<string, unknown>>,
  event: HookEventFacts,
  eventName: string,
  problems: Problems,
): number | undefined {
  if (limit === undefined || limit === null) return undefined;
  if (!isCount(limit)) {
    return problems.at("additionalContextLimit").expected("a whole number of tokens", limit);
  }
  if (event.hasContext) return limit;
  problems.warn(`\`additionalContextLimit\` has no effect: ${eventName} hooks add no context`);
  return undefined;
}

function failureOf(
  { on_failure: choice }: Readonly<Record<string, unknown>>,
  event: HookEventFacts,
  eventName: string,
  problems: Problems,
): "deny" | "continue" | undefined {
  if (choice === undefined) return undefined;
  if (choice !== "deny" && choice !== "continue") {
    return problems.at("on_failure").expected('"deny" or "continue"', choice);
  }
  if (choice === "deny" && !event.canDeny) {
    problems.at("on_failure").add(`"deny" has no effect: ${eventName} hooks cannot block anything`);
  }
  return choice;
}
