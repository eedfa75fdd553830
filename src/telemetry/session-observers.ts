import type { Config } from "../config/index.js";
import type { TraceContext } from "../protocol/types.js";
import { Content } from "./content.js";
import type { ObservedSession, SessionObserver, Tracing } from "./observer.js";
import { TurnObserver } from "./session-observer.js";
import { SessionTrace } from "./session-trace.js";
import { resolveSettings, type TelemetrySettings } from "./settings.js";
import type { Telemetry } from "./telemetry.js";
import { toEnvironment } from "./trace-context.js";
import type { Variables } from "./variables.js";

/** Options of the observers of a process. */
export interface ObserversOptions {
  env: Variables;
  /** Version of this program. */
  version: string;
  /** Gets access to the running spans. */
  tracing: Tracing;
}

/** Telemetry that is on, and its settings. */
export interface StartedTelemetry {
  telemetry: Telemetry;
  settings: TelemetrySettings;
}

/** Observers of the sessions of a process. Sessions with equal settings share their telemetry. */
export class SessionObservers {
  readonly #options: ObserversOptions;
  readonly #started = new Map<string, Promise<StartedTelemetry | undefined>>();
  /** Live sessions by thread. */
  readonly #sessions = new Map<string, SessionTrace>();
  /** Running turns of all sessions. */
  readonly #turns = new Map<string, TraceContext>();

  constructor(options: ObserversOptions) {
    this.#options = options;
    options.tracing.current = () => this.#current();
    options.tracing.environmentOf = (threadId, env) => this.#environmentOf(threadId, env);
  }

  /** Creates the observer of a session; undefined if its settings export nothing. */
  async observe(config: Config, session: ObservedSession): Promise<SessionObserver | undefined> {
    const started = await this.start(config, (message) => session.warn(message));
    if (started === undefined) return undefined;
    const { telemetry, settings } = started;
    const content = new Content(settings, this.#options.env);
    const { isPropagated } = settings;
    const trace = new SessionTrace({ telemetry, content, id: session.id, isPropagated, config });
    this.#sessions.set(session.id, trace);
    const stopCounting = telemetry.observe("quire.session.active", () => 1);
    return new TurnObserver(trace, {
      agent: session.agent,
      parentOf: (rootTurnId) => this.#parentOf(rootTurnId, telemetry) ?? settings.parent,
      onTurn: (turnId, context) => {
        if (context !== undefined) this.#turns.set(turnId, context);
      },
      onTurnEnd: (turnId) => this.#turns.delete(turnId),
      onClose: () => {
        stopCounting();
        if (this.#sessions.get(session.id) === trace) this.#sessions.delete(session.id);
      },
    });
  }

  /** Starts the telemetry of these settings on first use; undefined if they export nothing. */
  start(config: Config, warn: (message: string) => void): Promise<StartedTelemetry | undefined> {
    const { otel } = config.settings;
    const key = JSON.stringify(otel ?? null);
    const started = this.#started.get(key) ?? this.#start(otel, warn);
    this.#started.set(key, started);
    return started;
  }

  /** Metrics of the sessions in the text format of Prometheus, which has each metric only once. */
  async metricsText(): Promise<string> {
    for (const started of this.#started.values()) {
      const text = await (await started)?.telemetry.metricsText();
      if (text) return text;
    }
    return "";
  }

  /** Exports what is pending within a short time. */
  async close(): Promise<void> {
    delete this.#options.tracing.current;
    delete this.#options.tracing.environmentOf;
    const all = await Promise.allSettled(this.#started.values());
    const live = all.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    await Promise.all(live.map((one) => one?.telemetry.close()));
  }

  async #start(
    otel: Config["settings"]["otel"],
    warn: (message: string) => void,
  ): Promise<StartedTelemetry | undefined> {
    const { env, version } = this.#options;
    const settings = resolveSettings({ otel, env, version, warn });
    if (settings === undefined) return undefined;
    const { startTelemetry } = await import("./sdk.js");
    return { telemetry: startTelemetry(settings), settings };
  }

  /** The turn of a helper agent is a part of the call that started it, or of the turn of the user. */
  #parentOf(rootTurnId: string | undefined, telemetry: Telemetry): TraceContext | undefined {
    const current = telemetry.current();
    const root = rootTurnId === undefined ? undefined : this.#turns.get(rootTurnId);
    if (root === undefined) return rootTurnId === undefined ? undefined : current;
    return current !== undefined && traceIdOf(current) === traceIdOf(root) ? current : root;
  }

  #current(): TraceContext | undefined {
    for (const { telemetry, isPropagated } of this.#sessions.values()) {
      const current = telemetry.current();
      if (current !== undefined) return isPropagated ? current : undefined;
    }
    return undefined;
  }

  #environmentOf(threadId: string, env: Variables): Variables {
    const session = this.#sessions.get(threadId);
    return session?.isPropagated ? { ...env, ...toEnvironment(session.context) } : env;
  }
}

function traceIdOf({ traceparent }: TraceContext): string {
  return traceparent.slice(3, 35);
}
