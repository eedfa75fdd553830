import { randomUUID } from "node:crypto";
import { kindOf } from "../compare/kind.js";
import { matchLine } from "../compare/lines.js";
import { Bindings } from "../match/bindings.js";
import type { MatchContext } from "../match/text.js";
import type { Json, OutLine, Trace } from "../trace/trace.js";

/** The ids a trace's client made up itself, with new values for this run. */
export function chooseIds(trace: Trace): Bindings {
  const bindings = new Bindings();
  const client = namesIn(JSON.stringify(trace.meta));
  const served = new Set<string>();
  let outs = 0;
  for (const step of trace.client) {
    for (; outs < step.outsBefore; outs++) {
      for (const name of namesIn(JSON.stringify(trace.out[outs]?.msg ?? null))) served.add(name);
    }
    for (const name of namesIn(JSON.stringify(step.msg))) if (!served.has(name)) client.add(name);
  }
  for (const name of client) bindings.bind(name, randomUUID());
  return bindings;
}

function namesIn(text: string): Set<string> {
  return new Set([...text.matchAll(/<(UUID-\d+)>/g)].map((hit) => hit[1] as string));
}

/** Learns from each line of the server what the placeholders of later client lines stand for. */
export class LiveBindings {
  readonly #expected: OutLine[];
  readonly #context: MatchContext;

  constructor(trace: Trace, context: MatchContext) {
    this.#expected = [...trace.out];
    this.#context = context;
  }

  /** Pairs the line with the best expected one of its kind; what differs is judged later. */
  learn(msg: Json): void {
    const kind = kindOf(msg);
    const sameKind = this.#expected.filter((line) => kindOf(line.msg) === kind);
    const line = sameKind.find((one) => this.#fits(one, msg)) ?? sameKind[0];
    if (!line) return;
    this.#expected.splice(this.#expected.indexOf(line), 1);
    matchLine(line, msg, this.#context);
  }

  #fits(line: OutLine, msg: Json): boolean {
    const trial = { ...this.#context, bindings: this.#context.bindings.fork() };
    return matchLine(line, msg, trial).length === 0;
  }
}
