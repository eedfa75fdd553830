import type { MatchContext } from "../match/text.js";
import { matchValue } from "../match/value.js";
import { isObject, type Json, type ModelRequest } from "../trace/trace.js";
import { show, showDifference } from "./show.js";

/** Says how the requests a model endpoint got differ from a trace's. Headers a trace does not have are free. */
export function compareRequests(
  expected: ModelRequest[],
  actual: ModelRequest[],
  context: MatchContext,
): string[] {
  const found: string[] = [];
  for (let n = 0; n < Math.max(expected.length, actual.length); n++) {
    const want = expected[n];
    const got = actual[n];
    if (want && got) {
      const differences = matchValue(comparable(want, want), comparable(got, want), context);
      found.push(...differences.map((one) => `request ${n} ${showDifference(one)}`));
    } else if (want) {
      found.push(`request ${n}: did not come (${want.method} ${want.url})`);
    } else if (got) {
      found.push(
        `request ${n}: not in the trace: ${got.method} ${got.url} ${show(lastInput(got))}`,
      );
    }
  }
  return found;
}

function comparable(request: ModelRequest, like: ModelRequest): Json {
  const names = Object.keys(like.headers).filter((name) => request.headers[name] !== undefined);
  const headers = names.map((name) => [name, structured(request.headers[name] ?? "")]);
  const { method, url, body } = request;
  return { method, url, headers: Object.fromEntries(headers) as Json, body };
}

/** Headers that hold JSON are compared as JSON. */
function structured(header: string): Json {
  if (!header.startsWith("{")) return header;
  try {
    return JSON.parse(header) as Json;
  } catch {
    return header;
  }
}

function lastInput(request: ModelRequest): Json | undefined {
  const input = isObject(request.body) ? request.body.input : undefined;
  return Array.isArray(input) ? input.at(-1) : undefined;
}
