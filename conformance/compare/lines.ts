import type { MatchContext } from "../match/text.js";
import { matchValue, requestName } from "../match/value.js";
import { isObject, type Json, type OutLine, type Strictness } from "../trace/trace.js";
import { align } from "./align.js";
import { isFloating, isTerminal, isUsage, kindOf } from "./kind.js";
import { show, showDifference } from "./show.js";
import { splitStreams, splitThreads } from "./streams.js";

/** Returns the differences between the lines of a server and those of a trace; empty if they match. */
export function compareLines(
  expected: OutLine[],
  actual: OutLine[],
  context: MatchContext,
  strictness: Strictness,
): string[] {
  const match = (line: OutLine, got: Json) => matchLine(line, got, context);
  switch (strictness) {
    case "exact":
      return [
        ...inOrder(expected.filter(fixed), actual.filter(fixed), match),
        ...inAnyOrder(expected.filter(floating), actual.filter(floating), context),
      ];
    case "streams":
      return inStreams(splitStreams(expected), splitStreams(actual), match);
    case "threads":
      return inStreams(splitThreads(expected), splitThreads(actual), match);
    case "types":
      return inOrder(expected, actual, () => []);
    case "order":
      return inAnyOrder(expected.filter(notUsage), actual.filter(notUsage), context);
    case "differs":
      return inAnyOrder(expected.filter(terminal), actual.filter(terminal), context);
  }
}

/** Compares one line, and binds the ids of server requests on the way. */
export function matchLine(line: OutLine, got: Json, context: MatchContext): string[] {
  const { estimates } = line;
  if (isServerRequest(line.msg) && isServerRequest(got)) {
    context.bindings.bind(requestName(line.msg.id ?? null), requestName(got.id ?? null));
    const sameId = { ...got, id: line.msg.id ?? null };
    return matchValue(line.msg, sameId, context, { estimates }).map(showDifference);
  }
  return matchValue(line.msg, got, context, { estimates }).map(showDifference);
}

function inOrder(
  expected: OutLine[],
  actual: OutLine[],
  match: (line: OutLine, got: Json) => string[],
): string[] {
  const found: string[] = [];
  const kinds = (lines: OutLine[]) => lines.map((line) => kindOf(line.msg));
  for (const [left, right] of align(kinds(expected), kinds(actual))) {
    const line = left === undefined ? undefined : expected[left];
    const got = right === undefined ? undefined : actual[right];
    if (line && got) {
      const differences = match(line, got.msg);
      found.push(...differences.map((text) => `out ${right} (${kindOf(got.msg)}) ${text}`));
    } else if (line) {
      found.push(`out: line ${left} of the trace did not come: ${show(line.msg)}`);
    } else if (got) {
      found.push(`out ${right}: not in the trace: ${show(got.msg)}`);
    }
  }
  return found;
}

function inStreams(
  left: Map<string, OutLine[]>,
  right: Map<string, OutLine[]>,
  match: (line: OutLine, got: Json) => string[],
): string[] {
  const names = new Set([...left.keys(), ...right.keys()]);
  return [...names].flatMap((name) =>
    inOrder(left.get(name) ?? [], right.get(name) ?? [], match).map((text) => `[${name}] ${text}`),
  );
}

/** Takes for each expected line the first line of its kind that agrees with all bound so far. */
function inAnyOrder(expected: OutLine[], actual: OutLine[], context: MatchContext): string[] {
  const left = [...actual];
  const found: string[] = [];
  for (const line of expected) {
    const at = left.findIndex((got) => agrees(line, got.msg, context));
    const taken = at < 0 ? undefined : left.splice(at, 1)[0];
    if (taken) matchLine(line, taken.msg, context);
    else found.push(`out, in any order: no line agrees with ${show(line.msg)}`);
  }
  found.push(...left.map((got) => `out, in any order: not in the trace: ${show(got.msg)}`));
  return found;
}

function agrees(line: OutLine, got: Json, context: MatchContext): boolean {
  if (kindOf(line.msg) !== kindOf(got)) return false;
  const trial = { ...context, bindings: context.bindings.fork() };
  return matchLine(line, got, trial).length === 0;
}

function isServerRequest(msg: Json): msg is { [key: string]: Json } {
  return isObject(msg) && "id" in msg && "method" in msg;
}

function fixed(line: OutLine): boolean {
  return !isFloating(line.msg);
}

function floating(line: OutLine): boolean {
  return isFloating(line.msg);
}

/** The token count of an aborted request is a race as well. */
function notUsage(line: OutLine): boolean {
  return !isUsage(line.msg);
}

function terminal(line: OutLine): boolean {
  return isTerminal(line.msg);
}
