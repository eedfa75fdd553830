import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { ThreadItem } from "../../protocol/rpc/v2/item.js";
import type { TurnPlanStep } from "../../protocol/rpc/v2/turn.js";
import type { AppNotification } from "./app-server.js";
import { LiveOutput } from "./live-output.js";
import { toBlocks } from "./prompt.js";
import { textContent, toToolCall } from "./tool-calls.js";

/** Abilities of the editor that decide the form of updates. */
export interface UpdateOptions {
  /** It shows terminals whose output the agent sends. */
  showsOutput: boolean;
  showsNotices: boolean;
  showsCompaction: boolean;
}

/**
 * Translates the notifications of one thread to updates of a session.
 *
 * It holds the running items only: what was streamed of a message is not sent again at its end.
 */
export class Updates {
  readonly #send: (update: SessionUpdate) => void;
  readonly #options: UpdateOptions;
  readonly #running = new Map<string, ThreadItem>();
  readonly #streamed = new Set<string>();
  /** Result of the last review; a message of the model repeats it. */
  #review: string | undefined;
  readonly #outputs = new Map<string, LiveOutput>();
  /** Terminals of the editor for commands whose item has not started. */
  readonly #terminals = new Map<string, string>();

  constructor(send: (update: SessionUpdate) => void, options: UpdateOptions) {
    this.#send = send;
    this.#options = options;
  }

  /** Returns a running item. */
  item(id: string): ThreadItem | undefined {
    return this.#running.get(id);
  }

  /** Sends the updates for a notification of the thread. */
  receive({ method, params }: AppNotification): void {
    switch (method) {
      case "item/started":
        this.#start(params.item);
        return;
      case "item/completed":
        this.#complete(params.item);
        return;
      case "item/agentMessage/delta":
      case "item/plan/delta":
        this.#stream("agent_message_chunk", params.itemId, params.delta);
        return;
      case "item/reasoning/summaryTextDelta":
      case "item/reasoning/textDelta":
        this.#stream("agent_thought_chunk", params.itemId, params.delta);
        return;
      case "item/reasoning/summaryPartAdded":
        if (params.summaryIndex > 0) this.#stream("agent_thought_chunk", params.itemId, "\n\n");
        return;
      case "item/commandExecution/outputDelta":
        this.#outputs.get(params.itemId)?.add(params.delta);
        return;
      case "item/fileChange/patchUpdated":
        this.#preview(params.itemId, params.changes);
        return;
      case "item/mcpToolCall/progress":
        this.#send({
          sessionUpdate: "tool_call_update",
          toolCallId: params.itemId,
          content: [textContent(params.message)],
        });
        return;
      case "turn/plan/updated":
        this.plan(params.plan);
        return;
      case "thread/tokenUsage/updated": {
        const { last, modelContextWindow: size } = params.tokenUsage;
        if (size === null) return;
        this.#send({ sessionUpdate: "usage_update", used: last.totalTokens, size });
        return;
      }
      case "thread/name/updated":
        this.#send({
          sessionUpdate: "session_info_update",
          title: params.threadName ?? null,
        });
        return;
      case "warning":
        this.notice("warning", params.message);
        return;
      case "error":
        if (params.willRetry) this.notice("warning", params.error.message);
        return;
      case "mcpServer/startupStatus/updated":
        if (params.status !== "failed") return;
        this.notice("warning", `MCP server ${params.name}: ${params.error ?? "failed"}`);
        return;
      default:
        return;
    }
  }

  /** Sends a recorded item as a whole. */
  replay(item: ThreadItem): void {
    if (item.type === "userMessage") {
      for (const content of toBlocks(item.content)) {
        this.#send({ sessionUpdate: "user_message_chunk", content, messageId: item.id });
      }
      return;
    }
    const call = toToolCall(item);
    if (call !== undefined) this.#send({ sessionUpdate: "tool_call", ...call });
    else this.#sendText(item);
  }

  /** Sends the plan of a turn. */
  plan(steps: readonly TurnPlanStep[]): void {
    this.#send({
      sessionUpdate: "plan",
      entries: steps.map(({ step, status }) => ({
        content: step,
        priority: "medium",
        status: status === "inProgress" ? "in_progress" : status,
      })),
    });
  }

  /** Shows the user a message that is not part of the conversation. */
  notice(severity: "info" | "warning", title: string): void {
    if (title === "") return;
    if (this.#options.showsNotices) this.#send({ sessionUpdate: "notice", severity, title });
    else this.#sendChunk("agent_thought_chunk", `${title}\n\n`);
  }

  /** Shows the terminal of the editor in which a command runs; it may be known before its item. */
  showTerminal(callId: string, terminalId: string): void {
    const output = this.#outputs.get(callId);
    if (output === undefined) {
      this.#terminals.set(callId, terminalId);
      return;
    }
    output.attach(terminalId);
    const { content = [] } = output.start("");
    this.#send({ sessionUpdate: "tool_call_update", toolCallId: callId, content });
  }

  /** Completes a tool call that has no item. */
  endCall(toolCallId: string, isDone: boolean): void {
    const status = isDone ? "completed" : "failed";
    this.#send({ sessionUpdate: "tool_call_update", toolCallId, status });
  }

  /** Sends a text as a message of the agent. */
  say(text: string): void {
    this.#sendChunk("agent_message_chunk", text);
  }

  /** Drops the running items of a turn that is over; its commands may still run. */
  endTurn(): void {
    for (const [id, { type }] of this.#running) {
      if (type !== "commandExecution") this.#running.delete(id);
    }
    this.#streamed.clear();
    this.#terminals.clear();
  }

  /** Ends the timers. */
  close(): void {
    for (const output of this.#outputs.values()) output.close();
  }

  #start(item: ThreadItem): void {
    this.#running.set(item.id, item);
    if (item.type === "contextCompaction") {
      this.#compaction(item.id, "in_progress");
      return;
    }
    const call = toToolCall(item);
    if (call === undefined) return;
    if (item.type !== "commandExecution") {
      this.#send({ sessionUpdate: "tool_call", ...call });
      return;
    }
    const output = new LiveOutput(item.id, this.#options.showsOutput, this.#send);
    this.#outputs.set(item.id, output);
    const terminalId = this.#terminals.get(item.id);
    if (terminalId !== undefined) output.attach(terminalId);
    this.#terminals.delete(item.id);
    this.#send({ sessionUpdate: "tool_call", ...call, ...output.start(item.cwd) });
  }

  #complete(item: ThreadItem): void {
    const wasStreamed = this.#streamed.delete(item.id);
    const output = this.#outputs.get(item.id);
    const wasStarted = this.#running.delete(item.id);
    this.#outputs.delete(item.id);
    if (item.type === "contextCompaction") {
      this.#compaction(item.id, "completed");
      return;
    }
    const call = toToolCall(item);
    if (call === undefined) {
      if (!wasStreamed) this.#sendText(item);
      return;
    }
    if (!wasStarted) {
      this.#send({ sessionUpdate: "tool_call", ...call });
      return;
    }
    const end = item.type === "commandExecution" ? output?.end(item) : undefined;
    this.#send({ sessionUpdate: "tool_call_update", ...call, ...end });
  }

  #preview(itemId: string, changes: Extract<ThreadItem, { type: "fileChange" }>["changes"]): void {
    const item = {
      type: "fileChange" as const,
      id: itemId,
      changes,
      status: "inProgress" as const,
    };
    const call = toToolCall(item);
    if (call === undefined) return;
    const isKnown = this.#running.has(itemId);
    this.#running.set(itemId, item);
    if (isKnown) this.#send({ sessionUpdate: "tool_call_update", ...call });
    else this.#send({ sessionUpdate: "tool_call", ...call });
  }

  #compaction(compactionId: string, status: "in_progress" | "completed"): void {
    if (this.#options.showsCompaction) {
      this.#send({ sessionUpdate: "compaction_update", compactionId, status });
    } else if (status === "completed") {
      this.notice("info", "The conversation was summarized to free up context.");
    }
  }

  #stream(kind: TextUpdate, itemId: string, delta: string): void {
    this.#streamed.add(itemId);
    this.#sendChunk(kind, delta, itemId);
  }

  /** Sends the text of a message or of reasoning that was not streamed. */
  #sendText(item: ThreadItem): void {
    switch (item.type) {
      case "agentMessage":
      case "plan":
        if (item.text !== this.#review) this.#sendChunk("agent_message_chunk", item.text, item.id);
        this.#review = undefined;
        return;
      case "reasoning": {
        const parts = item.summary.length > 0 ? item.summary : item.content;
        this.#sendChunk("agent_thought_chunk", parts.join("\n\n"), item.id);
        return;
      }
      case "hookPrompt":
        this.#sendChunk(
          "agent_thought_chunk",
          item.fragments.map(({ text }) => text).join("\n\n"),
          item.id,
        );
        return;
      case "enteredReviewMode":
        this.#sendChunk("agent_thought_chunk", `Review of ${item.review}\n\n`, item.id);
        return;
      case "exitedReviewMode":
        this.#review = item.review;
        this.#sendChunk("agent_message_chunk", item.review, item.id);
        return;
      default:
        return;
    }
  }

  #sendChunk(sessionUpdate: TextUpdate, text: string, messageId?: string): void {
    if (text === "") return;
    const content = { type: "text" as const, text };
    this.#send({ sessionUpdate, content, ...(messageId === undefined ? {} : { messageId }) });
  }
}

type TextUpdate = "agent_message_chunk" | "agent_thought_chunk";
