import { SharedLock } from "../lib/async.js";
import { errorText } from "../lib/errors.js";
import type { ResponseItem } from "../protocol/types.js";
import {
  failed,
  type NestedCall,
  type Tool,
  type ToolKind,
  type ToolOutput,
} from "../tools/index.js";
import { CallContexts } from "./call-contexts.js";
import type { Conversation } from "./conversation.js";
import type { Task } from "./task.js";

/** A tool call of a response. */
interface Call {
  id: string;
  kind: ToolKind;
  toolName: string;
  namespace?: string | null | undefined;
  input: string;
  /** Output if there is no such tool. */
  unknown: string;
  toItem(output: ToolOutput): ResponseItem;
}

interface OpenCall {
  call: Call;
  began: number;
  /** Its output, once it has ended. */
  item: ResponseItem | undefined;
}

const runsCommands: ReadonlySet<string> = new Set([
  "shell",
  "container.exec",
  "local_shell",
  "shell_command",
  "exec_command",
  "unified_exec",
]);

/** Returns true for an item that will run a command once it is complete. */
export function startsCommand(item: ResponseItem): boolean {
  return item.type === "function_call" && runsCommands.has(item.name);
}

/** The calls of one response, while they run. */
export class ToolCalls {
  #task: Task;
  #conversation: Conversation;
  #running = new Map<ResponseItem, Promise<ResponseItem>>();
  /** Calls to start after the response is complete. */
  #waiting: { item: ResponseItem; call: Call }[] = [];
  /** Calls whose outputs are not recorded yet. */
  #open: OpenCall[] = [];
  #lock = new SharedLock();
  #contexts: CallContexts | undefined;
  readonly #begun: ReadonlySet<string> | undefined;

  /** `begun` has the calls whose begin was emitted by an engine that was lost. */
  constructor(task: Task, conversation: Conversation, begun?: ReadonlySet<string>) {
    this.#task = task;
    this.#conversation = conversation;
    this.#begun = begun;
    task.pendingOutputs = () => this.#pendingOutputs();
  }

  /**
   * Starts the call that an item makes, if it makes one.
   *
   * Calls that change nothing run side by side, all others one after the other. The promise is the
   * call's end, in eras that read on only then.
   */
  start(item: ResponseItem): Promise<void> | undefined {
    const call = callOf(item, this.#task);
    if (call === undefined) return;
    const { callOrder } = this.#task.session.parts.era.engine;
    if (callOrder === "after the response") {
      this.#waiting.push({ item, call });
      return;
    }
    const output = this.#begin(item, call);
    return callOrder === "one by one" ? output.then(() => {}) : undefined;
  }

  #begin(item: ResponseItem, call: Call): Promise<ResponseItem> {
    const open: OpenCall = { call, began: performance.now(), item: undefined };
    const output = this.#run(call).then((result) => {
      this.#reportFailure(call, result);
      open.item = call.toItem(result);
      if (this.recordsOutputs) this.#conversation.record([open.item]);
      return open.item;
    });
    this.#running.set(item, output);
    this.#open.push(open);
    // `outputs` reports the rejection; after an abort it may never be called.
    output.catch(() => {});
    return output;
  }

  /** Emits the failure of a call that no other event shows. */
  #reportFailure({ id, toolName }: Call, { success, isBlocked, text }: ToolOutput): void {
    if (success || isBlocked || this.#contexts?.isShown(id)) return;
    this.#task.emit({ type: "tool_call_failed", call_id: id, tool: toolName, message: text }, id);
  }

  /** True if each output is recorded when its call ends, since another engine may have to continue. */
  get recordsOutputs(): boolean {
    const { log, era } = this.#task.session.parts;
    return log.settled !== undefined && era.engine.recordsTasks;
  }

  /** Starts the waiting calls and resolves to all outputs, by the item that made the call. */
  async outputs(): Promise<Map<ResponseItem, ResponseItem>> {
    for (const { item, call } of this.#waiting.splice(0)) this.#begin(item, call);
    const outputs = new Map<ResponseItem, ResponseItem>();
    for (const [item, output] of this.#running) outputs.set(item, await output);
    this.#open = [];
    return outputs;
  }

  /** Returns outputs for an abort: the real ones of finished calls, a notice for the others. */
  #pendingOutputs(): ResponseItem[] {
    return this.#open.map(({ call, began, item }) => {
      if (item !== undefined) return item;
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      const text = runsCommands.has(call.toolName)
        ? `Wall time: ${seconds} seconds\naborted by user`
        : `aborted by user after ${seconds}s`;
      return call.toItem(failed(text));
    });
  }

  async #run(call: Call): Promise<ToolOutput> {
    const tool = this.#conversation.tools.find(call.kind, call.toolName, call.namespace);
    if (tool === undefined) return failed(call.unknown);
    const input = { text: call.input };
    const { hooks, tokens } = this.#task.session;
    const { spent } = tokens; // before this response is complete
    const changes = hooks?.changesCalls === true && !tool.skipsHooks;
    const isReadOnly = !changes && (tool.isReadOnly?.(input) ?? false);
    return this.#attempt(call, () => {
      const run = () => this.#dispatch(call, tool, { spent });
      return isReadOnly ? this.#lock.runShared(run) : this.#lock.runAlone(run);
    });
  }

  /** Runs a call that a tool makes. Scripts decide themselves which calls run in parallel. */
  #runNested(call: NestedCall, spent: number): Promise<ToolOutput> {
    const tool = this.#conversation.tools.find(call.kind, call.toolName, call.namespace);
    if (tool === undefined) return Promise.resolve(failed(`unsupported call: ${call.toolName}`));
    return this.#attempt(call, () => this.#dispatch(call, tool, { spent, isNested: true }));
  }

  #dispatch(
    call: NestedCall | Call,
    tool: Tool,
    { spent, isNested = false }: { spent: number; isNested?: boolean },
  ): Promise<ToolOutput> {
    const { signal, session } = this.#task;
    signal.throwIfAborted();
    const contexts = this.#useContexts();
    const context = isNested ? contexts.nested(call, spent) : contexts.of(call, spent);
    if (session.hooks === undefined || tool.skipsHooks) {
      return tool.run({ text: call.input }, context);
    }
    return session.hooks.runTool(this.#task, this.#conversation.context, { call, tool, context });
  }

  #useContexts(): CallContexts {
    this.#contexts ??= new CallContexts({
      task: this.#task,
      conversation: this.#conversation,
      begun: this.#begun,
      runNested: (call, spent) => this.#runNested(call, spent),
    });
    return this.#contexts;
  }

  async #attempt(call: NestedCall | Call, run: () => Promise<ToolOutput>): Promise<ToolOutput> {
    try {
      const output = await this.#task.countCall(run);
      this.#task.session.files?.afterCall(this.#task);
      this.#task.session.followUps?.onCall(call.toolName);
      if (this.#contexts?.endsTask(call.id)) this.#task.abort("interrupted");
      this.#task.signal.throwIfAborted();
      return output;
    } catch (error) {
      if (this.#task.signal.aborted) throw error;
      return failed(errorText(error));
    }
  }
}

/** Returns the call that an item makes, if it makes one. */
export function callOf(item: ResponseItem, task: Task): Call | undefined {
  switch (item.type) {
    case "function_call":
      return {
        id: item.call_id,
        kind: "function",
        toolName: item.name,
        namespace: item.namespace,
        input: item.arguments,
        unknown: `unsupported call: ${item.name}`,
        toItem: ({ text, parts }) => ({
          type: "function_call_output",
          call_id: item.call_id,
          output: parts ?? text,
        }),
      };
    case "custom_tool_call":
      return {
        id: item.call_id,
        kind: "custom",
        toolName: item.name,
        input: item.input,
        unknown: `unsupported custom tool call: ${item.name}`,
        toItem: ({ text, parts }) => ({
          type: "custom_tool_call_output",
          call_id: item.call_id,
          output: parts ?? text,
        }),
      };
    case "tool_search_call":
      return {
        id: item.call_id,
        kind: "tool_search",
        toolName: "tool_search",
        input: JSON.stringify(item.arguments),
        unknown: "",
        toItem: ({ found = [] }) => ({
          type: "tool_search_output",
          call_id: item.call_id,
          status: "completed",
          execution: "client",
          tools: [...found],
        }),
      };
    case "local_shell_call": {
      const id = item.call_id ?? item.id ?? task.session.parts.newId();
      return {
        id,
        kind: "local_shell",
        toolName: "local_shell",
        input: JSON.stringify(item.action),
        unknown: "unsupported call: local_shell",
        toItem: ({ text }) => ({ type: "function_call_output", call_id: id, output: text }),
      };
    }
    default:
      return undefined;
  }
}
