import type {
  Awaited,
  ClientStep,
  Json,
  ModelRequest,
  ModelResponse,
  OmittedDeltas,
  Strictness,
  Trace,
  TraceEnd,
  TraceMeta,
} from "./trace.js";
import { isObject } from "./trace.js";

/** Origin of a trace, for its name and for error messages. */
export interface TraceSource {
  group: string;
  name: string;
  strictness: Strictness;
}

/** Reads the lines of one trace file; throws with the line's number when one makes no sense. */
export function parseTrace(text: string, source: TraceSource): Trace {
  const trace: Trace = {
    ...source,
    meta: { name: source.name, version: "", command: [] },
    client: [],
    out: [],
    omitted: [],
    requests: [],
    responses: [],
    end: { exit_code: null, ended_by: "" },
  };
  const seen = { meta: false, estimates: false };
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    addLine(trace, parseLine(line, `${source.group}/${source.name} line ${index + 1}`), seen);
  }
  if (!seen.meta) throw new Error(`${source.group}/${source.name}: no meta line`);
  const requests = trace.requests.map((one) => resolveSame(one, trace.requests));
  return { ...trace, requests, client: trace.client.map((step) => nameThread(step, trace)) };
}

/** Replaces `{{TH}}`, which a recording client waited with, by the placeholder of the first thread. */
function nameThread(step: ClientStep, { out }: Trace): ClientStep {
  if (step.after === undefined || !JSON.stringify(step.after).includes("{{TH}}")) return step;
  const ids = out.map(({ msg }) => threadOf(msg)).filter((id) => id !== undefined);
  const after = JSON.stringify(step.after).replaceAll("{{TH}}", ids[0] ?? "");
  return { ...step, after: JSON.parse(after) as Awaited };
}

function threadOf(msg: Json): string | undefined {
  const result = isObject(msg) ? msg.result : undefined;
  const thread = isObject(result) ? result.thread : undefined;
  return isObject(thread) && typeof thread.id === "string" ? thread.id : undefined;
}

interface Line {
  dir: string;
  msg: Json;
  after?: Awaited;
  delay_ms?: number;
}

function parseLine(line: string, where: string): Line {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new Error(`${where}: not JSON (${(error as Error).message})`);
  }
  if (!isObject(value) || typeof value.dir !== "string" || !("msg" in value)) {
    throw new Error(`${where}: expected an object with "dir" and "msg"`);
  }
  return value as unknown as Line;
}

function addLine(trace: Trace, line: Line, seen: { meta: boolean; estimates: boolean }): void {
  const { msg } = line;
  switch (line.dir) {
    case "meta":
      seen.meta = true;
      trace.meta = msg as unknown as TraceMeta;
      return;
    case "in":
      if (startsEstimates(msg)) seen.estimates = true;
      trace.client.push({
        msg,
        ...(line.after === undefined ? {} : { after: line.after }),
        delayMs: line.delay_ms ?? 0,
        outsBefore: trace.out.length,
      });
      return;
    case "out":
      trace.out.push({ msg, estimates: seen.estimates });
      return;
    case "note":
      trace.omitted.push(...omittedDeltas(msg));
      return;
    case "model_request":
      trace.requests.push(msg as unknown as ModelRequest);
      return;
    case "model_response":
      trace.responses.push(msg as unknown as ModelResponse);
      return;
    case "end":
      trace.end = msg as unknown as TraceEnd;
      return;
    default:
      throw new Error(`${trace.group}/${trace.name}: unknown "dir": ${line.dir}`);
  }
}

function startsEstimates(msg: Json): boolean {
  if (!isObject(msg)) return false;
  const name = isObject(msg.op) ? msg.op.type : msg.method;
  return typeof name === "string" && /compact|rollback/.test(name);
}

function omittedDeltas(note: Json): OmittedDeltas[] {
  if (!isObject(note) || !isObject(note.omitted_lines)) return [];
  const bytes = note.decoded_bytes_of_the_whole_run;
  const longest = note.longest_chunk_bytes;
  return Object.keys(note.omitted_lines).map((type) => ({
    type,
    bytes: isObject(bytes) ? Number(bytes[type]) : 0,
    longestChunk: isObject(longest) ? Number(longest[type]) : Number.POSITIVE_INFINITY,
  }));
}

/** Expands `<same as in request n>` so that each request can be compared alone. */
function resolveSame(request: ModelRequest, all: ModelRequest[]): ModelRequest {
  if (!isObject(request.body)) return request;
  const body = Object.entries(request.body).map(([key, value]) => [key, original(key, value, all)]);
  return { ...request, body: Object.fromEntries(body) as Json };
}

function original(key: string, value: Json, all: ModelRequest[]): Json {
  const reference = typeof value === "string" && /^<same as in request (\d+)>$/.exec(value);
  if (!reference) return value;
  const body = all[Number(reference[1])]?.body;
  const found = isObject(body) ? body[key] : undefined;
  return found === undefined ? value : original(key, found, all);
}
