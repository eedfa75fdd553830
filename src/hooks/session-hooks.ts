import { errorText } from "../lib/errors.js";
import { withSignals } from "../lib/join-signals.js";
import type { HookRun } from "../protocol/types.js";
import { denyFailure, type HandlerResult, type HookAnswer, readAnswer } from "./answer.js";
import { limitContext } from "./context-file.js";
import { hookEvents } from "./events.js";
import type { HookCall, HookEventName, HookOutcome, HookServices, Hooks } from "./hooks.js";
import { isTrusted, type LoadedHooks } from "./load.js";
import { fromFile, fromFunctions, type HooksOptions, type PreparedHook } from "./prepared-hook.js";
import { type HandlerRun, HookShell, notRun } from "./run-command.js";

/** Creates the hooks of a session; undefined if none may run. */
export function createHooks(
  loaded: Pick<LoadedHooks, "hooks">,
  services: HookServices,
  options: HooksOptions = {},
): Hooks | undefined {
  const mayRun = loaded.hooks.filter(
    (hook) => hook.isEnabled && (options.bypassTrust === true || isTrusted(hook)),
  );
  const prepared = [...mayRun.map(fromFile), ...fromFunctions(options, loaded.hooks.length)];
  if (prepared.length === 0) return undefined;
  return new SessionHooks(prepared, services, new HookShell(options.env ?? process.env));
}

class SessionHooks implements Hooks {
  readonly #hooks: readonly PreparedHook[];
  readonly #services: HookServices;
  readonly #shell: HookShell;
  readonly #events: ReadonlySet<HookEventName>;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor(hooks: readonly PreparedHook[], services: HookServices, shell: HookShell) {
    this.#hooks = hooks;
    this.#services = services;
    this.#shell = shell;
    this.#events = new Set(hooks.map(({ event }) => event));
  }

  has(event: HookEventName): boolean {
    return this.#events.has(event);
  }

  async run(call: HookCall, signal: AbortSignal): Promise<HookOutcome> {
    const { names = [], unless = [] } = call;
    const matching = this.#hooks.filter(
      ({ event, matches }) =>
        event === call.event && matches(names) && !(unless.length > 0 && matches(unless)),
    );
    if (matching.length === 0) return { contexts: [] };
    const json = Buffer.from(JSON.stringify(call.input));
    const background = matching.filter(({ isAsync }) => isAsync);
    for (const hook of background) this.#runInBackground(hook, call, json);
    const awaited = matching.filter(({ isAsync }) => !isAsync);
    const runs = awaited.map((hook) => this.#started(hook, call));
    let ended = 0;
    const answers = await this.#track(
      Promise.all(
        awaited.map(async (hook) => {
          const answer = await this.#answer(hook, call, json, signal);
          return { ...answer, endedAt: this.#services.now(), endedAs: ended++ };
        }),
      ),
    );
    for (const [index, answer] of answers.entries()) {
      this.#completed(runs[index] as HookRun, answer, call);
    }
    signal.throwIfAborted();
    return this.#combine(awaited, runs, answers);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled([...this.#running, this.#shell.close()]);
  }

  async #answer(
    hook: PreparedHook,
    call: HookCall,
    json: Buffer<ArrayBuffer>,
    signal: AbortSignal,
  ): Promise<HookAnswer> {
    const run = { cwd: call.cwd, json, timeoutSec: hook.timeoutSec };
    const result = await withSignals([signal, this.#closing.signal], (both) =>
      this.#execute(hook, call, { ...run, signal: both }),
    ).catch((error: unknown) => notRun(errorText(error)));
    const answer = readAnswer(hook.event, result);
    if (answer.status !== "failed") return answer;
    // The end of the hooks is no failure of this one, and must not let pass what it guards.
    if (this.#closing.signal.aborted && guarding.has(hook.event)) {
      return denyFailure(hook.event, answer, call.input, "it was ended before it could decide");
    }
    return hook.onFailure === "deny" ? denyFailure(hook.event, answer, call.input) : answer;
  }

  async #execute(hook: PreparedHook, call: HookCall, run: HandlerRun): Promise<HandlerResult> {
    const { handler } = hook;
    if (handler.type === "command") return this.#shell.run(handler.command, run);
    if (handler.type === "http") {
      return (await import("./run-http.js")).runHttpHook(handler, run);
    }
    const inProcess = await import("./run-in-process.js");
    return handler.type === "mcp_tool"
      ? inProcess.runMcpHook(handler, call.input, run, this.#services)
      : inProcess.runHookFunction(handler.run, call.input, run);
  }

  /** Its answer decides nothing any more, so only a failure is reported. */
  #runInBackground(hook: PreparedHook, call: HookCall, json: Buffer<ArrayBuffer>): void {
    const run = this.#answer(hook, call, json, this.#closing.signal).then((answer) => {
      if (answer.status !== "failed" || this.#closing.signal.aborted) return;
      const problem = answer.entries.find(({ kind }) => kind === "error")?.text;
      this.#services.warn(`An async ${hook.event} hook of ${hook.sourcePath} failed: ${problem}`);
    });
    void this.#track(run);
  }

  #track<Value>(run: Promise<Value>): Promise<Value> {
    this.#running.add(run);
    void run.finally(() => this.#running.delete(run)).catch(() => {});
    return run;
  }

  #started(hook: PreparedHook, { callId, turnId }: HookCall): HookRun {
    const { key, scope } = hookEvents[hook.event];
    const place = `${key.replaceAll("_", "-")}:${hook.displayOrder}:${hook.sourcePath}`;
    const run: HookRun = {
      id: callId === undefined ? place : `${place}:${callId}`,
      event_name: key,
      handler_type: hook.handler.type,
      execution_mode: "sync",
      scope,
      source_path: hook.sourcePath,
      source: hook.source,
      display_order: hook.displayOrder,
      status: "running",
      status_message: hook.statusMessage ?? null,
      started_at: this.#services.now(),
      completed_at: null,
      duration_ms: null,
      entries: [],
    };
    this.#services.started(run, turnId);
    return run;
  }

  #completed(run: HookRun, answer: EndedAnswer, { turnId }: HookCall): void {
    const { status, entries, endedAt } = answer;
    const duration_ms = Math.max(0, endedAt - run.started_at);
    const ended = { ...run, status, entries, completed_at: endedAt, duration_ms };
    this.#services.completed(ended, turnId);
  }

  async #combine(
    hooks: readonly PreparedHook[],
    runs: readonly HookRun[],
    answers: readonly EndedAnswer[],
  ): Promise<HookOutcome> {
    const blocks = answers.flatMap(({ block }, index) =>
      block === undefined ? [] : [{ reason: block, runId: runs[index]?.id ?? "" }],
    );
    const stop = answers.find((answer) => answer.stop !== undefined)?.stop;
    const permissions = answers.flatMap(({ permission }) => permission ?? []);
    const permission = permissions.find(({ behavior }) => behavior === "deny") ?? permissions.at(0);
    const updated = answers
      .filter(({ updatedInput }) => updatedInput !== undefined)
      .sort((left, right) => left.endedAs - right.endedAs)
      .at(-1)?.updatedInput;
    const contexts = await Promise.all(
      answers.flatMap(({ context }, index) => {
        const limit = hooks[index]?.additionalContextLimit;
        return context === undefined
          ? []
          : [limitContext(context, limit, this.#services.sessionId)];
      }),
    );
    const [blocked] = blocks;
    return {
      ...(blocked === undefined ? {} : { blocked, blocks }),
      ...(stop === undefined ? {} : { stopped: { reason: stop } }),
      ...(permission === undefined ? {} : { permission }),
      ...(updated === undefined ? {} : { updatedInput: updated.value }),
      contexts,
    };
  }
}

/** Events whose hooks decide about something that is about to happen, or to reach the model. */
const guarding: ReadonlySet<HookEventName> = new Set<HookEventName>([
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "UserPromptSubmit",
  "PreModelRequest",
  "PreCompact",
]);

/** An answer with the time and the position at which it came. */
interface EndedAnswer extends HookAnswer {
  endedAt: number;
  endedAs: number;
}
