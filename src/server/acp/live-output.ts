import type { SessionUpdate, ToolCallContent } from "@agentclientprotocol/sdk";
import { takeLastBytes } from "../../lib/text.js";
import type { CommandExecutionItem } from "../../protocol/rpc/v2/item.js";
import { outputContent } from "./tool-calls.js";

/**
 * Output of a running command.
 *
 * An editor that shows terminals of the agent gets each part once. For others an update replaces
 * the content, so they get the end of the output, a few times a second.
 */
export class LiveOutput {
  readonly #toolCallId: string;
  readonly #showsOutput: boolean;
  readonly #send: (update: SessionUpdate) => void;
  /** The terminal of the editor in which the command runs. */
  #terminalId: string | undefined;
  #tail = "";
  #timer: NodeJS.Timeout | undefined;

  constructor(toolCallId: string, showsOutput: boolean, send: (update: SessionUpdate) => void) {
    this.#toolCallId = toolCallId;
    this.#showsOutput = showsOutput;
    this.#send = send;
  }

  /** Shows a terminal of the editor, which has the output itself. */
  attach(terminalId: string): void {
    this.close();
    this.#terminalId = terminalId;
  }

  /** Returns the fields of the tool call that announce the terminal. */
  start(cwd: string): { content?: ToolCallContent[]; _meta?: Record<string, unknown> } {
    if (this.#terminalId !== undefined) return { content: [terminalContent(this.#terminalId)] };
    if (!this.#showsOutput) return {};
    return {
      content: [terminalContent(this.#toolCallId)],
      _meta: { terminal_info: { terminal_id: this.#toolCallId, cwd } },
    };
  }

  add(delta: string): void {
    if (this.#terminalId !== undefined) return;
    if (this.#showsOutput) {
      const _meta = { terminal_output: { terminal_id: this.#toolCallId, data: delta } };
      this.#update({ _meta });
      return;
    }
    this.#tail = takeLastBytes(this.#tail + delta, mostTail);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#update({ content: [outputContent(this.#tail)] });
    }, intervalMs).unref();
  }

  /** Returns the fields of the last update. */
  end({ exitCode }: CommandExecutionItem) {
    this.close();
    if (this.#terminalId !== undefined) return { content: [terminalContent(this.#terminalId)] };
    if (!this.#showsOutput) return {};
    return {
      content: [terminalContent(this.#toolCallId)],
      _meta: {
        terminal_exit: { terminal_id: this.#toolCallId, exit_code: exitCode, signal: null },
      },
    };
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #update(fields: object): void {
    this.#send({ sessionUpdate: "tool_call_update", toolCallId: this.#toolCallId, ...fields });
  }
}

function terminalContent(terminalId: string): ToolCallContent {
  return { type: "terminal", terminalId };
}

/** Most bytes of the output that are sent while the command runs. */
const mostTail = 16 * 1024;
const intervalMs = 150;
