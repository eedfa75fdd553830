/**
 * Answers of a scripted model, by request.
 *
 * A bare list is the short form of an object with only `answers`. See `docs/scripted-model.md` for
 * examples.
 */
export type Script = readonly Answer[] | ScriptObject;

/** A script with its settings. */
export interface ScriptObject {
  /** One for each request, in order. */
  answers: readonly Answer[];
  /** After the last answer: an error (default), or the last answer again. */
  after?: "error" | "repeat";
  /** Answers to helper agents by path, such as `/root/tests`, or `*`; the root gets `answers`. */
  agents?: Readonly<Record<string, readonly Answer[]>>;
  /** Includes the model name of the request in responses. */
  echo_model?: boolean;
}

/** One answer: steps, or a response as recorded in traces. */
export type Answer = readonly Step[] | RecordedAnswer;

/** An answer with all of its events; nothing is added. */
export interface RecordedAnswer {
  /** Status of the response; default: 200. */
  status?: number;
  /** Headers of the response. */
  headers?: Readonly<Record<string, string>>;
  /** The body, if it is not a stream: text, or a value that is sent as JSON. */
  body?: unknown;
  /** The events of the stream, and marks that start with `$`. */
  sse?: readonly Step[];
  /** Number of the request in the trace; not used. */
  n?: number;
}

/** The smallest part of an answer; its first key is its kind. */
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

/** A message; `deltas` splits it, explicitly or by length. */
export interface MessageStep {
  message: string;
  deltas?: readonly string[] | number;
  /** Pause before each piece. */
  pause_ms?: number;
  id?: string;
  /** Phase in the turn: `commentary` or `final_answer`. */
  phase?: string;
}

/** Reasoning; each part of the summary is a separate section. */
export interface ReasoningStep {
  reasoning: string | readonly string[];
  raw?: string;
  encrypted?: string;
  id?: string;
}

/** A call with JSON arguments; text is sent as is, even if it is not JSON. */
export interface CallStep {
  call: string;
  args?: unknown;
  call_id?: string;
  namespace?: string;
}

/** A call with plain text. */
export interface CustomCallStep {
  custom_call: string;
  input: string;
  call_id?: string;
}

/** Returns the events of a call of the built-in shell. */
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

/** A web search. */
export interface WebSearchStep {
  web_search: string;
  id?: string;
}

/** The end of the response; added if there is none. */
export interface CompletedStep {
  completed: true;
  /** Sets the total of an otherwise default usage. */
  total_tokens?: number;
  /** In the format of the Responses API; `null` omits it. */
  usage?: unknown;
  id?: string;
}

/** An event of the Responses API, sent as is. */
export interface RawEvent {
  type: string;
  [field: string]: unknown;
}
