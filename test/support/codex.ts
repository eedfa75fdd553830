import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EraName } from "../../src/compat/index.js";
import { createQueues, type EngineParts, runCodex } from "../../src/engine/index.js";
import { createLocalParts } from "../../src/engine/local/parts.js";
import { type Clock, systemClock } from "../../src/lib/clock.js";
import { type Script, scriptedClient } from "../../src/model/scripted/index.js";
import type { ModelClient, Prompt } from "../../src/model/types.js";
import { findEventProblem } from "../../src/protocol/read/event.js";
import type { Event, EventMsg, InputItem, Op, TraceContext } from "../../src/protocol/types.js";
import { createToolBox, type Tool } from "../../src/tools/index.js";
import { writeRequirements } from "./server.js";
import { testConfig } from "./test-config.js";

/** Options of a test; everything else is real, in a temporary folder. */
export interface TestCodexOptions {
  /** Responses of the model, one per request. */
  model?: Script;
  era?: EraName;
  clock?: Clock;
  /** Settings by their name in config.toml. */
  config?: Record<string, unknown>;
  /** Text of the administrator's requirements.toml. */
  requirements?: string;
  /** Replaces the built-in tools. */
  tools?: readonly Tool[];
  /** An engine whose folders are shared, as by a later session of the same home. */
  sharing?: Pick<TestCodex, "home" | "workspace">;
  /** False if the test sends `configure_session`. */
  configure?: boolean;
  env?: Record<string, string>;
  /** Hooks in place of those of the settings. */
  hooks?: EngineParts["createHooks"];
  /** Replaces the sandbox of scripts. */
  isolate?: EngineParts["isolate"];
  /** If true, items and steps are reported too, as clients see them that request all events. */
  items?: boolean;
}

/** An engine under test: its real queues, and the events so far. */
export interface TestCodex extends AsyncDisposable {
  home: string;
  workspace: string;
  events: Event[];
  /** Requests to the model, in order. */
  prompts: Prompt[];
  submit(op: Op, id?: string, trace?: TraceContext): string;
  /** Waits for the next event of a type that no earlier call has returned. */
  until<Type extends EventMsg["type"]>(type: Type): Promise<Event & { msg: MsgOf<Type> }>;
  /** Submits and waits until the task ends; returns the events of that submission. */
  turn(op: Op): Promise<EventMsg[]>;
  shutdown(): Promise<void>;
}

type MsgOf<Type> = Extract<EventMsg, { type: Type }>;

/** Starts an engine on a scripted model; dispose it with `await using`. */
export async function startTestCodex(options: TestCodexOptions = {}): Promise<TestCodex> {
  const root = await mkdtemp(join(tmpdir(), "quire-test-"));
  const own = { home: join(root, "home"), workspace: join(root, "workspace") };
  await Promise.all([mkdir(own.home), mkdir(own.workspace)]);
  const { home, workspace } = options.sharing ?? own;
  const prompts: Prompt[] = [];
  const local = createLocalParts({
    env: { PATH: process.env.PATH, HOME: root, CODEX_HOME: home, ...options.env },
    cwd: workspace,
    era: options.era,
    systemFolder: await writeRequirements(root, options.requirements),
  });
  const parts: EngineParts = {
    ...local,
    clock: options.clock ?? systemClock,
    loadConfig: (op) =>
      local.loadConfig({ ...op, config: { ...testConfig, ...options.config, ...op.config } }),
    createModel: async () => recording(scriptedClient(options.model ?? []), prompts),
    ...(options.hooks === undefined ? {} : { createHooks: options.hooks }),
    ...(options.isolate === undefined ? {} : { isolate: options.isolate }),
    ...(options.tools === undefined ? {} : { createTools: () => boxOf(options.tools ?? []) }),
  };
  const queues = createQueues();
  const watch = new EventWatch(queues.events, options.items ?? false);
  const running = runCodex(queues, parts);
  let count = 0;

  const codex: TestCodex = {
    home,
    workspace,
    events: watch.seen,
    prompts,
    submit(op, id = `s${++count}`, trace) {
      queues.submissions.push({ id, op, ...(trace && { trace }) });
      return id;
    },
    until: (type) => watch.until(type) as never,
    async turn(op) {
      const id = this.submit(op);
      await watch.untilEnd(id);
      return watch.seen.filter((event) => event.id === id).map((event) => event.msg);
    },
    async shutdown() {
      queues.submissions.push({ id: "bye", op: { type: "shutdown" } });
      await running;
    },
    async [Symbol.asyncDispose]() {
      queues.submissions.push({ id: "dispose", op: { type: "shutdown" } });
      queues.submissions.close();
      await running;
      await local.close();
      await rm(root, { recursive: true, force: true });
    },
  };
  if (options.configure !== false) {
    codex.submit({ type: "configure_session" }, "");
    await codex.until("session_configured");
  }
  return codex;
}

/** Returns user input with this text. */
export function text(words: string): InputItem[] {
  return [{ type: "text", text: words }];
}

function boxOf(tools: readonly Tool[]) {
  return createToolBox(tools.map((tool) => ({ tool })));
}

function recording(client: ModelClient, prompts: Prompt[]): ModelClient {
  return {
    stream(prompt, signal) {
      prompts.push({ ...prompt, input: [...prompt.input] });
      return client.stream(prompt, signal);
    },
    close: () => client.close(),
  };
}

/** Collects the events of the engine and wakes pending waits. */
class EventWatch {
  readonly seen: Event[] = [];
  #returned = new Set<Event>();
  #waiting = new Set<() => void>();

  #tellsItems: boolean;

  constructor(events: AsyncIterable<Event>, tellsItems: boolean) {
    this.#tellsItems = tellsItems;
    void this.#read(events);
  }

  until(type: EventMsg["type"]): Promise<Event> {
    return this.#wait(() =>
      this.seen.find((event) => event.msg.type === type && !this.#returned.has(event)),
    );
  }

  async untilEnd(id: string): Promise<void> {
    const isEnd = ({ type }: EventMsg) => type === "task_complete" || type === "turn_aborted";
    await this.#wait(() => this.seen.find((event) => event.id === id && isEnd(event.msg)));
  }

  async #wait(find: () => Event | undefined): Promise<Event> {
    for (;;) {
      const event = find();
      if (event !== undefined) {
        this.#returned.add(event);
        return event;
      }
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  async #read(events: AsyncIterable<Event>): Promise<void> {
    for await (const event of events) {
      // Whatever a test checks, every event must match its schema.
      const problem = findEventProblem(event);
      if (problem !== undefined) throw new Error(`${problem} in ${JSON.stringify(event)}`);
      if (!this.#tellsItems && isOnlyItem(event)) continue;
      this.seen.push(event);
      for (const wake of this.#waiting) wake();
      this.#waiting.clear();
    }
  }
}

/**
 * Returns true if an event is sent only to clients that request all: steps, and items that other events
 * report too.
 */
function isOnlyItem({ msg }: Event): boolean {
  if (msg.type === "step_complete") return true;
  return (msg.type === "item_started" || msg.type === "item_completed") && msg.item.type !== "Plan";
}
