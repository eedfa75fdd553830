import type { Bindings } from "../match/bindings.js";
import { fillPlaces, type Places } from "../match/places.js";
import { byAgent, isOfAgent } from "../trace/agents.js";
import type { Json, ModelRequest, OutLine, Trace } from "../trace/trace.js";
import { joinDeltas, withoutOmitted, withoutUnrecorded } from "./deltas.js";
import { compareEnd, type ObservedEnd } from "./end.js";
import { compareLines } from "./lines.js";
import { compareRequests } from "./requests.js";

/** Outcome of replaying a trace against the program. */
export interface Observed {
  out: Json[];
  requests: ModelRequest[];
  end: ObservedEnd;
  places: Places;
  /** Ids the client chose. */
  chosen: Bindings;
  /** Why the client gave up, when it did. */
  failure?: string;
}

/**
 * Results of a trace: the messages the client got (with the end of the run), and the requests the model
 * got.
 */
export interface Comparison {
  events: string[];
  requests: string[];
}

/** Compares a run with a trace, as strictly as the trace allows. Empty lists mean that they agree. */
export function compare(trace: Trace, observed: Observed): Comparison {
  const exact = compareWith({ ...trace, strictness: "exact" }, observed);
  if (isClean(exact)) return exact;
  if (trace.strictness !== "exact") return compareWith(trace, observed);
  if (!runsCallsBesideTurn(trace.meta.version)) return exact;
  const hasAgents = isOfAgent(trace.requests);
  const strictness = hasAgents ? "threads" : "streams";
  const streams = compareWith({ ...trace, strictness }, observed);
  return isClean(streams) || hasAgents ? streams : exact;
}

/** References from 0.100 on start calls while the response still streams. */
function runsCallsBesideTurn(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 0 || minor >= 100;
}

/** True if nothing differs. */
export function isClean({ events, requests }: Comparison): boolean {
  return events.length === 0 && requests.length === 0;
}

function compareWith(trace: Trace, observed: Observed): Comparison {
  const { places } = observed;
  const context = { bindings: observed.chosen.fork(), places, version: trace.meta.version };
  const all: OutLine[] = observed.out.map((msg) => ({ msg, estimates: false }));
  const got = runsCallsBesideTurn(trace.meta.version)
    ? withoutUnrecorded(all, trace.out, (text) => fillPlaces(text, places))
    : all;
  const events = observed.failure === undefined ? [] : [observed.failure];
  const expectedLines = withoutOmitted(trace.out, trace.omitted).lines;
  const gotLines = withoutOmitted(got, trace.omitted);
  events.push(...compareOmitted(trace, gotLines.bytes, gotLines.longest));
  events.push(
    ...compareLines(
      joinDeltas(expectedLines),
      joinDeltas(gotLines.lines),
      context,
      trace.strictness,
    ),
  );
  const sort = isOfAgent(trace.requests) ? byAgent : (list: ModelRequest[]) => list;
  const requests = compareRequests(sort(trace.requests), sort(observed.requests), context);
  if (observed.failure === undefined) events.push(...compareEnd(trace.end, observed.end, context));
  return { events, requests };
}

function compareOmitted(trace: Trace, bytes: number, longest: number): string[] {
  if (trace.omitted.length === 0) return [];
  const expected = trace.omitted.reduce((sum, one) => sum + one.bytes, 0);
  const limit = Math.max(...trace.omitted.map((one) => one.longestChunk));
  const found: string[] = [];
  if (bytes !== expected)
    found.push(`out: expected ${expected} bytes of output deltas, got ${bytes}`);
  if (longest > limit)
    found.push(`out: the longest delta has ${longest} bytes, more than ${limit}`);
  return found;
}
