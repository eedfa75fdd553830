import { errorText } from "../lib/errors.js";
import type { HandlerResult } from "./answer.js";
import type { HookHandler } from "./handler.js";
import type { HookFunction, HookServices } from "./hooks.js";
import { isRecord } from "./problems.js";
import { type HandlerRun, notRun, timedOut } from "./run-command.js";

/** Calls an MCP tool; the text of its result is the answer. */
export function runMcpHook(
  { server, tool, input: template }: Extract<HookHandler, { type: "mcp_tool" }>,
  input: Readonly<Record<string, unknown>>,
  run: HandlerRun,
  services: Pick<HookServices, "callMcpTool">,
): Promise<HandlerResult> {
  return withinLimit(run, async (signal) =>
    textOf(await services.callMcpTool(server, tool, fillIn(template, input), signal)),
  );
}

/** Calls a function of the embedding program; what it returns is the answer, as text or as JSON. */
export function runHookFunction(
  call: HookFunction,
  input: Readonly<Record<string, unknown>>,
  run: HandlerRun,
): Promise<HandlerResult> {
  return withinLimit(run, async (signal) => {
    const answer = await call(input, signal);
    return typeof answer === "string" ? answer : (JSON.stringify(answer) ?? "");
  });
}

/** Stops waiting at the time limit and when the signal aborts: the callee may ignore both. */
async function withinLimit(
  { timeoutSec, signal }: HandlerRun,
  work: (signal: AbortSignal) => Promise<string>,
): Promise<HandlerResult> {
  const limit = AbortSignal.timeout(timeoutSec * 1000);
  const both = AbortSignal.any([signal, limit]);
  const aborted = new Promise<never>((_, reject) => {
    both.addEventListener("abort", () => reject(both.reason), { once: true });
  });
  try {
    both.throwIfAborted();
    const text = await Promise.race([work(both), aborted]);
    return { exitCode: 0, stdout: text, stderr: "" };
  } catch (error) {
    if (signal.aborted) return notRun("interrupted");
    return limit.aborted ? timedOut(timeoutSec) : notRun(errorText(error));
  }
}

/**
 * Replaces `${tool_input.path}` and the like by values of the input.
 *
 * A text that is nothing but one such reference becomes the value itself, of any type.
 */
function fillIn(value: unknown, input: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return value.map((entry) => fillIn(entry, input));
  if (isRecord(value)) {
    const entries = Object.entries(value).map(([key, entry]) => [key, fillIn(entry, input)]);
    return Object.fromEntries(entries);
  }
  if (typeof value !== "string") return value;
  const whole = /^\$\{([^{}]+)\}$/.exec(value)?.[1];
  if (whole !== undefined) return lookUp(whole, input);
  return value.replace(/\$\{([^{}]+)\}/g, (_, path: string) => {
    const found = lookUp(path, input);
    return typeof found === "string" ? found : JSON.stringify(found);
  });
}

function lookUp(path: string, input: Readonly<Record<string, unknown>>): unknown {
  let at: unknown = input;
  for (const key of path.split(".")) {
    const isInside = isRecord(at) || Array.isArray(at);
    if (!isInside || !Object.hasOwn(at as object, key)) {
      throw new Error(`hook input has no value for \${${path}}`);
    }
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

function textOf(result: unknown): string {
  const { content, isError } = isRecord(result) ? result : {};
  const parts = Array.isArray(content) ? content : [];
  const text = parts
    .filter((part) => isRecord(part) && part.type === "text" && typeof part.text === "string")
    .map((part) => part.text as string)
    .join("\n");
  if (isError === true) throw new Error(`MCP tool returned an error: ${text}`);
  return text;
}
