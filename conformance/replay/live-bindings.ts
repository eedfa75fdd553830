import { randomUUID } from "node:crypto";
import { kindOf } from "../compare/kind.js";
import { matchLine } from "../compare/lines.js";
import { Bindings } from "../match/bindings.js";
import { type Filled, fill } from "../match/fill.js";
import type { Places } from "../match/places.js";
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
  for (const name of client) bindings.bind(name, name.startsWith("PID") ? "999999" : randomUUID());
  return bindings;
}

function namesIn(text: string): Set<string> {
  return new Set([...text.matchAll(/<((?:UUID|PID)-\d+)>/g)].map((hit) => hit[1] as string));
}

/**
 * Learns the values of placeholders from the lines of the server, for later lines of the client and the
 * model.
 */
export class LiveBindings {
  readonly #expected: OutLine[];
  readonly #context: MatchContext;
  #out: Json[] = [];
  #learned = 0;

  constructor(trace: Trace, chosen: Bindings, places: Places) {
    this.#expected = [...trace.out];
    this.#context = { bindings: chosen.fork(), places, version: trace.meta.version };
  }

  /** From now on it learns from this list, to which the server's lines are added. */
  follow(out: Json[]): void {
    this.#out = out;
  }

  /** Writes the values of this run into a line of the client or an answer of the model. */
  fill(template: Json): Filled {
    for (; this.#learned < this.#out.length; this.#learned++) {
      this.#learn(this.#out[this.#learned] ?? null);
    }
    return fill(template, this.#context.bindings, this.#context.places);
  }

  /** Chooses ids that only the model knows, such as one that names nothing. */
  invent(missing: readonly string[]): void {
    for (const name of missing) {
      if (/^UUID-\d+$/.test(name)) this.#context.bindings.bind(name, randomUUID());
    }
  }

  /** Pairs the line with the best expected one of its kind; differences are judged later. */
  #learn(msg: Json): void {
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
