import type { MatchContext } from "../match/text.js";
import { matchValue } from "../match/value.js";
import { isObject, type Json, type ModelRequest } from "../trace/trace.js";
import { show, showDifference } from "./show.js";

/**
 * Returns the differences between the requests to a model endpoint and those of a trace. Headers that the
 * trace lacks are ignored.
 */
export function compareRequests(
  expected: ModelRequest[],
  actual: ModelRequest[],
  context: MatchContext,
): string[] {
  const found = new Map<string, number[]>();
  const add = (text: string, n: number) => found.set(text, [...(found.get(text) ?? []), n]);
  for (let n = 0; n < Math.max(expected.length, actual.length); n++) {
    const want = expected[n];
    const got = actual[n];
    if (want && got) {
      const differences = matchValue(comparable(want, want), comparable(got, want), context);
      for (const one of differences) add(showDifference(one), n);
    } else if (want) {
      add(`did not come (${want.method} ${want.url})`, n);
    } else if (got) {
      add(`not in the trace: ${got.method} ${got.url} ${show(lastInput(got))}`, n);
    }
  }
  // Each request repeats the previous ones, and so their differences.
  return [...found].map(([text, numbers]) => `request ${numbers.join(", ")}: ${text}`);
}

function comparable(request: ModelRequest, like: ModelRequest): Json {
  const names = Object.keys(like.headers).filter((name) => request.headers[name] !== undefined);
  const headers = names.map((name) => [name, structured(request.headers[name] ?? "")]);
  const { method, url } = request;
  const body = withStructuredMetadata(request.body);
  return { method, url, headers: Object.fromEntries(headers) as Json, body };
}

/** Newer references repeat their headers in the body. */
function withStructuredMetadata(body: Json): Json {
  if (!isObject(body) || !isObject(body.client_metadata)) return body;
  const entries = Object.entries(body.client_metadata).map(([name, value]) => [
    name,
    typeof value === "string" ? structured(value) : value,
  ]);
  return { ...body, client_metadata: Object.fromEntries(entries) as Json };
}

/** Headers that hold JSON are compared as JSON. */
function structured(header: string): Json {
  if (!header.startsWith("{")) return header;
  try {
    const value = JSON.parse(header) as Json;
    // Git is asked in the background: a first request may go out before it has answered.
    if (isObject(value)) delete value.workspaces;
    return value;
  } catch {
    return header;
  }
}

function lastInput(request: ModelRequest): Json | undefined {
  const input = isObject(request.body) ? request.body.input : undefined;
  return Array.isArray(input) ? input.at(-1) : undefined;
}
