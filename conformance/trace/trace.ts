/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Required agreement of a trace's lines; conformance/README.md describes each level. */
export type Strictness = "exact" | "streams" | "threads" | "order" | "types" | "differs";

/** First line of a trace: the files to set up and the program to start. */
export interface TraceMeta {
  name: string;
  version: string;
  command: string[];
  shows?: string;
  config_toml?: string;
  stdin?: string;
  files?: Record<string, FileContent>;
  home_files?: Record<string, FileContent>;
  /** Files of a private `/etc/codex`. */
  etc_codex?: Record<string, FileContent>;
  git?: boolean | "remote";
  git_after?: Record<string, FileContent>;
}

/** Text, or bytes in base64. */
export type FileContent = string | { base64: string };

/** Something the client sends once it has seen `after` and waited `delayMs`. */
export interface ClientStep {
  msg: Json;
  after?: Awaited;
  delayMs: number;
  /** Number of `out` lines before this one in the trace. */
  outsBefore: number;
}

/** A type or method by name, an answer by its id, or a name with fields that must be there. */
export type Awaited = string | { id: Json } | { type?: string; method?: string; where?: Json };

/** A line the server wrote. */
export interface OutLine {
  msg: Json;
  /** A compaction or rollback came before: token counts are guesses of the reference. */
  estimates: boolean;
}

/** A run of output deltas of which the trace keeps only some. */
export interface OmittedDeltas {
  type: string;
  bytes: number;
  longestChunk: number;
}

/** Requests that the model endpoint received. */
export interface ModelRequest {
  /** Number in the trace. */
  n?: number;
  /** Path of the agent that asked, in traces with helper agents. */
  agent?: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Json;
}

/** Answers of the model endpoint: a body, or server-sent events with `$` steps between them. */
export interface ModelResponse {
  /** Number of the request that it answers. */
  n?: number;
  status: number;
  headers?: Record<string, string>;
  body?: Json;
  sse?: Record<string, Json>[];
}

/** End of the run. An absent field is not compared. */
export interface TraceEnd {
  exit_code: number | null;
  ended_by: string;
  workspace_after?: Record<string, string>;
  codex_home_after?: string[];
  config_toml_after?: string;
  /** Lines that hooks got on standard input; `null` if none ran. */
  hook_stdin?: Json[] | null;
}

/** A recorded conversation of one client with one server. */
export interface Trace {
  /** The folder, which names the surface. */
  group: string;
  name: string;
  strictness: Strictness;
  /** Bound of every wait for its lines, if it is longer than usual. */
  timeoutMs?: number;
  meta: TraceMeta;
  client: ClientStep[];
  out: OutLine[];
  omitted: OmittedDeltas[];
  requests: ModelRequest[];
  responses: ModelResponse[];
  end: TraceEnd;
}

/** Narrows to an object that is not an array. */
export function isObject(value: unknown): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
