import { isRecord, type JsonRecord } from "../protocol/read/check.js";
import type { Seen } from "./entry.js";
import type { Placeholders } from "./placeholders.js";

/** First line of a trace. */
export interface TraceHead {
  name: string;
  shows: string;
  command: string[];
  config_toml?: string;
}

/** End of the recorded program. */
export interface TraceEnd {
  exit_code: number | null;
  ended_by: "stdin closed" | "itself" | "signal";
}

/** Parts of a recorder. */
export interface RecorderParts {
  head: TraceHead;
  placeholders: Placeholders;
  /** Replaces secrets. */
  redact(value: unknown): unknown;
  write(text: string): void;
}

/**
 * Records a conversation in the format of the conformance traces.
 *
 * The first line needs the version of the server, so lines are held until the answer to `initialize`.
 */
export class Recorder {
  readonly #parts: RecorderParts;
  readonly #held: string[] = [];
  #isStarted = false;
  /** Answered or received since the last line of the client. */
  #awaited: unknown;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  add({ entry, message }: Seen): void {
    if (message === undefined) {
      const $text = typeof entry.body === "string" ? this.#shown(entry.body) : "{";
      this.#line({ dir: entry.from === "client" ? "in" : "out", msg: { $text } });
      return;
    }
    if (entry.from === "client") this.#addIn(message, entry.method);
    else this.#addOut(message, entry);
  }

  /** Completes the trace. */
  end(end: TraceEnd): void {
    this.#start(undefined);
    this.#line({ dir: "end", msg: end });
  }

  #addIn(message: unknown, method: string | undefined): void {
    const isAnswer = isRecord(message) && message.method === undefined;
    const after = isAnswer ? method : this.#awaited;
    this.#awaited = undefined;
    const waited = after === undefined ? {} : { after: this.#shown(after) };
    this.#line({ dir: "in", ...waited, msg: this.#shown(message) });
  }

  #addOut(message: unknown, { kind, id, method }: Seen["entry"]): void {
    this.#line({ dir: "out", msg: this.#shown(message) });
    if (kind === "result" || kind === "error") this.#awaited = { id };
    else if (kind === "notification" && /^turn\/completed$/.test(method ?? ""))
      this.#awaited = method;
    if (method === "initialize") this.#start(message);
  }

  #start(answer: unknown): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    const head = { ...this.#parts.head, version: versionIn(answer) };
    this.#parts.write(`${JSON.stringify({ dir: "meta", msg: this.#shown(head) })}\n`);
    for (const line of this.#held.splice(0)) this.#parts.write(line);
  }

  #line(line: JsonRecord): void {
    const text = `${JSON.stringify(line)}\n`;
    if (this.#isStarted) this.#parts.write(text);
    else this.#held.push(text);
    if (this.#held.length > maxHeld) this.#start(undefined);
  }

  #shown(value: unknown): unknown {
    const { placeholders, redact } = this.#parts;
    return placeholders.of(redact(value));
  }
}

/** Lines before the answer to `initialize`; a client that sends more does not wait for it. */
const maxHeld = 100;

function versionIn(answer: unknown): string {
  const result = isRecord(answer) && isRecord(answer.result) ? answer.result : {};
  const [, version = ""] = /\/(\d+\.\d+\.\d+[\w.-]*)/.exec(String(result.userAgent ?? "")) ?? [];
  return version;
}
