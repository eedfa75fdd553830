import type { Step } from "../model/scripted/index.js";

/** A message of the model, in one delta or in several. */
export function says(message: string, ...deltas: string[]): Step[] {
  return [deltas.length === 0 ? { message } : { message, deltas }];
}

/** A tool call with JSON arguments. */
export function calls(name: string, args: unknown, call_id = "c1"): Step[] {
  return [{ call: name, args, call_id }];
}

/** A custom tool call with plain text. */
export function callsCustom(name: string, input: string, call_id = "c1"): Step[] {
  return [{ custom_call: name, input, call_id }];
}

/** A call of the built-in shell. */
export function callsLocalShell(command: string[], call_id = "c1"): Step[] {
  return [{ local_shell: command, call_id }];
}

/** Reasoning in the given parts. */
export function reasons(...parts: string[]): Step[] {
  return [{ reasoning: parts }];
}

/** A web search. */
export function searches(query: string, id = "ws_1"): Step[] {
  return [{ web_search: query, id }];
}

/** An error response to the request. */
export function fails(
  status: number,
  body: unknown = { error: { message: "mock error", type: "server_error" } },
  headers: Record<string, string> = {},
): Step[] {
  return [{ status, body, headers }];
}

/** A response that fails after it started. */
export function breaks(code: string, message: string): Step[] {
  return [{ failed: { code, message } }];
}

/** Resets the connection after the given steps. */
export function cuts(...steps: Step[][]): Step[] {
  return [...steps.flat(), { cut: true }];
}

/** Ends the stream without completing the response, after the given steps. */
export function ends(...steps: Step[][]): Step[] {
  return [...steps.flat(), { end: true }];
}

/** Stalls after the given steps. */
export function hangs(...steps: Step[][]): Step[] {
  return [...steps.flat(), { hang: true }];
}

/** Pauses. */
export function waits(ms: number): Step[] {
  return [{ pause_ms: ms }];
}

/** Combines steps into one response. */
export function both(...steps: Step[][]): Step[] {
  return steps.flat();
}
