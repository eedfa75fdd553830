import type { Config } from "../config/index.js";
import type { TokenUsage, TraceContext } from "../protocol/types.js";
import type { Content } from "./content.js";
import type { Attributes, Span, Telemetry } from "./telemetry.js";

/** Turn of a session while it is running. */
export interface RunningTurn {
  /** Id of the submission that started it. */
  submissionId: string;
  turnId: string | undefined;
  span: Span;
  startedAt: number;
  usage: { input: number; output: number };
  /** Type of the error that ends it. */
  failure: string | undefined;
}

/** State of an observed session that its parts share: the running turn, and the spans below it. */
export class SessionTrace {
  readonly telemetry: Telemetry;
  readonly content: Content;
  /** Id of the thread. */
  readonly id: string;
  /** False if the trace context is not passed to other programs. */
  readonly isPropagated: boolean;
  turn: RunningTurn | undefined;
  readonly #config: Config;
  /** Contexts of the requests to the model, by the ids of the calls that they resulted in. */
  readonly #callers = new Map<string, TraceContext>();
  /** Contexts of running calls. */
  readonly #running = new Set<TraceContext>();

  constructor(options: {
    telemetry: Telemetry;
    content: Content;
    id: string;
    isPropagated: boolean;
    config: Config;
  }) {
    this.telemetry = options.telemetry;
    this.content = options.content;
    this.id = options.id;
    this.isPropagated = options.isPropagated;
    this.#config = options.config;
  }

  /** Attributes of all spans and metrics of the session. */
  get common(): Attributes {
    const { provider } = this.#config;
    return { "gen_ai.provider.name": provider.id, ...addressOf(provider.base_url) };
  }

  get model(): string {
    return this.#config.model;
  }

  /** The running call of this session in which the caller runs, or the turn. */
  get context(): TraceContext | undefined {
    const current = this.telemetry.current();
    if (current !== undefined && this.#running.has(current)) return current;
    return this.turn?.span.context;
  }

  /** Notes that a request to the model resulted in a call. */
  addCall(callId: string, caller: TraceContext | undefined): void {
    if (caller !== undefined) this.#callers.set(callId, caller);
  }

  /** Returns the context in which a call runs: that of the request that it is from. */
  callerOf(callId: string, isNested: boolean): TraceContext | undefined {
    const caller = this.#callers.get(callId);
    this.#callers.delete(callId);
    return isNested ? this.context : (caller ?? this.context);
  }

  /** Runs work inside the span of a call. */
  async runCall<Result>({ context, run }: Span, work: () => Promise<Result>): Promise<Result> {
    if (context === undefined) return work();
    this.#running.add(context);
    try {
      return await run(work);
    } finally {
      this.#running.delete(context);
    }
  }

  /** Adds the tokens of a request to the turn. */
  addUsage({ input_tokens, output_tokens }: TokenUsage): void {
    if (this.turn === undefined) return;
    this.turn.usage.input += input_tokens;
    this.turn.usage.output += output_tokens;
  }

  /** Writes a log record inside the running span. */
  log(name: string, attributes: Attributes, level?: "info" | "warn" | "error"): void {
    const write = () =>
      this.telemetry.log(name, { "conversation.id": this.id, ...attributes }, level);
    const current = this.telemetry.current();
    if (this.turn === undefined || (current !== undefined && this.#running.has(current))) write();
    else this.turn.span.run(write);
  }

  /** Forgets the calls of a turn. */
  endTurn(): void {
    this.turn = undefined;
    this.#callers.clear();
  }
}

function addressOf(url: string | undefined): Attributes {
  if (url === undefined || !URL.canParse(url)) return {};
  const { hostname, port } = new URL(url);
  return { "server.address": hostname, "server.port": port === "" ? undefined : Number(port) };
}

/** Seconds since a time of `performance.now()`. */
export function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1000;
}
