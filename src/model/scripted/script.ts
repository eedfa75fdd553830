/**
 * What a scripted model answers, request by request.
 *
 * A bare list is the short form of an object with only `answers`. `docs/scripted-model.md` tells
 * the format with examples.
 */
export type Script = readonly Answer[] | ScriptObject;

export interface ScriptObject {
  answers: readonly Answer[];
  /** What follows the last answer: an error that says so (the default), or the last one again. */
  after?: "error" | "repeat";
  /** Responses carry the model's name as the request gave it. */
  echo_model?: boolean;
}

/** One answer: steps, or a response as the traces record it. */
export type Answer = readonly Step[] | RecordedAnswer;

/** An answer written out to the last event; nothing is added to it. */
export interface RecordedAnswer {
  status?: number;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  sse?: readonly Step[];
  n?: number;
}

/** The smallest piece of an answer; what it is stands in its first key. */
export type Step =
  | MessageStep
  | ReasoningStep
  | CallStep
  | CustomCallStep
  | LocalShellStep
  | WebSearchStep
  | { apply_patch: string; call_id?: string }
  | { apply_patch_via_shell: string; call_id?: string }
  | { echo: true }
  | { raw: Readonly<Record<string, unknown>> }
  | { sse_text: string }
  | { pause_ms: number }
  | { headers: Readonly<Record<string, string>> }
  | CompletedStep
  | { failed: { code?: string; message?: string } }
  | { incomplete: string }
  | { status: number; body?: unknown; headers?: Readonly<Record<string, string>> }
  | { cut: true }
  | { end: true }
  | { end_without_completed: true }
  | { hang: true }
  | { $delay_ms: number }
  | { $cut: true }
  | { $end: true }
  | { $hang: true }
  | RawEvent;

/** The model says something; `deltas` cuts it in pieces, by hand or by length. */
export interface MessageStep {
  message: string;
  deltas?: readonly string[] | number;
  /** The pause before each piece. */
  pause_ms?: number;
  id?: string;
  /** Where in the turn it stands: `commentary` or `final_answer`. */
  phase?: string;
}

/** The model thinks; each part of the summary is a section of its own. */
export interface ReasoningStep {
  reasoning: string | readonly string[];
  raw?: string;
  encrypted?: string;
  id?: string;
}

/** The model calls a tool with JSON arguments; text is sent as it is, broken or not. */
export interface CallStep {
  call: string;
  args?: unknown;
  call_id?: string;
  namespace?: string;
}

/** The model calls a tool with plain text. */
export interface CustomCallStep {
  custom_call: string;
  input: string;
  call_id?: string;
}

/** The model calls its built-in shell. */
export interface LocalShellStep {
  local_shell: readonly string[];
  call_id?: string;
  timeout_ms?: number;
  /** The older name of `timeout_ms`. */
  timeout?: number;
  working_directory?: string;
  env?: Readonly<Record<string, string>>;
  user?: string;
  with_escalated_permissions?: boolean;
  justification?: string;
}

/** The model searched the web. */
export interface WebSearchStep {
  web_search: string;
  id?: string;
}

/** The response is complete; without one a last step of this kind is added. */
export interface CompletedStep {
  completed: true;
  /** For the usage that is not told in full. */
  total_tokens?: number;
  /** As the Responses API writes it; `null` leaves it out. */
  usage?: unknown;
  id?: string;
}

/** An event of the Responses API, sent as it is. */
export interface RawEvent {
  type: string;
  [field: string]: unknown;
}
