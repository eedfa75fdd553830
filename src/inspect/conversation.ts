import type { EraName } from "../compat/index.js";
import { type Problem, type RequestId, readMessage } from "../jsonrpc/index.js";
import { isRecord } from "../protocol/read/check.js";
import { unsupported } from "../protocol/rpc/v2/unsupported.js";
import { Malformed } from "../transport/index.js";
import type { Entry, Seen, Sender } from "./entry.js";
import { type DetectedEra, eraOfServer } from "./era-of-server.js";
import { Unreadable } from "./relay.js";
import type { MessageKind, MessageRules } from "./rules.js";

/** Settings of a conversation. */
export interface ConversationOptions {
  /** Returns the checks of an era. */
  rulesOf(era: EraName): MessageRules;
  /** Era of the server; without it that of its answer to `initialize`. */
  era: EraName | undefined;
  /** Era of the client, if its messages are translated. */
  clientEra?: EraName | undefined;
  now(): number;
  onEra(era: DetectedEra): void;
}

/** Follows the messages of one client and its server, and checks each by the schemas of its era. */
export class Conversation {
  readonly #options: ConversationOptions;
  readonly #pending = {
    client: new Map<RequestId, Pending>(),
    server: new Map<RequestId, Pending>(),
  };
  #rules: MessageRules;
  #era: EraName | undefined;
  #speaksMcp = false;

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#era = options.era;
    this.#rules = options.rulesOf(options.era ?? "current");
  }

  /** Era of the server; undefined until it is known. */
  get era(): EraName | undefined {
    return this.#era;
  }

  /** Method of the pending request that an answer of a side belongs to. */
  methodOfAnswer(from: Sender, id: RequestId): string | undefined {
    return this.#pending[otherThan(from)].get(id)?.method;
  }

  /** Reads and checks one message. */
  see(from: Sender, message: unknown, bytes: number): Seen {
    const entry: Entry = {
      n: 0,
      ms: this.#options.now(),
      from,
      kind: "unreadable",
      bytes,
      problems: [],
      notes: [],
    };
    this.#classify(entry, message);
    return { entry, message: message instanceof Malformed ? undefined : message };
  }

  /** Ends the conversation; returns the requests that got no answer. */
  unanswered(): { from: Sender; id: RequestId; method: string }[] {
    return (["client", "server"] as const).flatMap((from) =>
      [...this.#pending[from]].map(([id, { method }]) => ({ from, id, method })),
    );
  }

  #classify(entry: Entry, message: unknown): void {
    const read = readMessage(message);
    switch (read.kind) {
      case "problem":
        this.#readProblem(entry, message, read.problem);
        return;
      case "batch":
        entry.problems.push("The app-server protocol has no batches: send each message on its own");
        entry.body = message;
        return;
      case "request":
        Object.assign(entry, { kind: "request", id: read.id, method: read.method });
        entry.body = read.params;
        this.#checkCall(entry, read.method, read.params);
        this.#open(entry, read.id, read.method);
        return;
      case "notification":
        Object.assign(entry, { kind: "notification", method: read.method });
        entry.body = read.params;
        this.#checkNotification(entry, read.method, read.params);
        return;
      case "reply":
        this.#checkReply(entry, read.id, read.message);
    }
  }

  #readProblem(entry: Entry, message: unknown, { reason, id }: Problem): void {
    if (id !== undefined) entry.id = id;
    if (message instanceof Unreadable && message.text === undefined) {
      entry.notes.push(reason);
      return;
    }
    if (message instanceof Malformed) {
      entry.body = message instanceof Unreadable ? message.text?.slice(0, maxTextChars) : undefined;
    } else {
      entry.body = message;
      // The answer to a message whose id could not be read.
      if (isRecord(message) && message.id === null && "error" in message) {
        entry.kind = "error";
        entry.body = message.error;
        this.#checkError(entry, message.error);
        return;
      }
    }
    entry.problems.push(reason);
  }

  #checkCall(entry: Entry, method: string, params: unknown): void {
    const kind = entry.from === "client" ? "method" : "server request";
    if (method === "initialize" && isRecord(params) && "protocolVersion" in params) {
      this.#speaksMcp = true;
      entry.notes.push("The client speaks MCP: only the methods of the app-server are checked");
    }
    this.#checkParams(entry, kind, method, params);
  }

  #checkNotification(entry: Entry, method: string, params: unknown): void {
    if (entry.from === "server") this.#checkParams(entry, "notification", method, params);
    else if (method !== "initialized" && !this.#speaksMcp) {
      entry.problems.push(`The protocol has no notification ${method} of clients`);
    }
  }

  #checkParams(entry: Entry, kind: MessageKind, method: string, params: unknown): void {
    const rules = this.#rulesFor(entry.from);
    if (this.#speaksMcp && (method === "initialize" || !rules.has(kind, method))) return;
    if (!rules.has(kind, method)) {
      // Servers of others may have the methods that ours refuse.
      if (kind === "method" && Object.hasOwn(unsupported, method)) return;
      const era = entry.from === "client" ? (this.#options.clientEra ?? this.#era) : this.#era;
      entry.problems.push(`The schemas of era ${era ?? "current"} have no ${kind} ${method}`);
      return;
    }
    const problem = rules.paramsProblem(kind, method, params);
    if (problem !== undefined) entry.problems.push(problem);
  }

  #open(entry: Entry, id: RequestId, method: string): void {
    const pending = this.#pending[entry.from];
    if (pending.has(id)) {
      entry.problems.push(
        `The id ${JSON.stringify(id)} belongs to a request that has no answer yet`,
      );
    }
    pending.set(id, { method, sentAt: entry.ms });
    if (pending.size <= maxPending) return;
    const [oldest] = pending.keys();
    if (oldest !== undefined) pending.delete(oldest);
  }

  #checkReply(entry: Entry, id: RequestId, message: Record<string, unknown>): void {
    entry.kind = "error" in message ? "error" : "result";
    entry.id = id;
    entry.body = "error" in message ? message.error : message.result;
    const pending = this.#pending[otherThan(entry.from)];
    const request = pending.get(id);
    if (request === undefined) {
      entry.problems.push(`There is no pending request with the id ${JSON.stringify(id)}`);
      return;
    }
    pending.delete(id);
    entry.method = request.method;
    entry.tookMs = entry.ms - request.sentAt;
    if (entry.kind === "error") this.#checkError(entry, message.error);
    else this.#checkResult(entry, request.method, message.result);
  }

  #checkError(entry: Entry, error: unknown): void {
    const isValid =
      isRecord(error) && Number.isInteger(error.code) && typeof error.message === "string";
    if (!isValid) {
      entry.problems.push(
        "error must be an object with a whole number `code` and a text `message`",
      );
    }
  }

  #checkResult(entry: Entry, method: string, result: unknown): void {
    if (entry.from === "server" && method === "initialize") this.#detectEra(result);
    if (this.#speaksMcp && method === "initialize") return;
    const kind = entry.from === "client" ? "server request" : "method";
    const problem = this.#rulesFor(entry.from).resultProblem(kind, method, result);
    if (problem !== undefined) entry.problems.push(problem);
  }

  #detectEra(result: unknown): void {
    if (this.#era !== undefined) return;
    const detected = eraOfServer(result);
    if (detected === undefined) return;
    this.#era = detected.name;
    this.#rules = this.#options.rulesOf(detected.name);
    this.#options.onEra(detected);
  }

  #rulesFor(from: Sender): MessageRules {
    const { clientEra, rulesOf } = this.#options;
    return from === "client" && clientEra !== undefined ? rulesOf(clientEra) : this.#rules;
  }
}

interface Pending {
  method: string;
  sentAt: number;
}

/** Characters of a line that is no message, in the trace. */
const maxTextChars = 4096;

/** Requests without an answer that are remembered; older ones are forgotten. */
const maxPending = 10_000;

function otherThan(from: Sender): Sender {
  return from === "client" ? "server" : "client";
}
