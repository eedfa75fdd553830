import type { EraName } from "../compat/index.js";
import { Conversation } from "./conversation.js";
import { type Entry, isInvalid, type Seen, type Sender } from "./entry.js";
import type { DetectedEra } from "./era-of-server.js";
import type { MessageRules } from "./rules.js";
import { Translation } from "./translate.js";

/** Receives the checked messages. */
export interface Observer {
  /** Called for each message; `shown` is the entry with a redacted body. */
  entry(shown: Entry, seen: Seen): void;
  /** Called with a remark about the conversation. */
  note(text: string): void;
  /** Called when the era of a server is known. */
  era(name: EraName): void;
}

/** Options of an inspector. */
export interface InspectorOptions {
  rulesOf(era: EraName): MessageRules;
  /** Era of the server; default: from its answer to `initialize`. */
  era: EraName | undefined;
  /** Era of the clients, if messages are translated for them. */
  translateTo: EraName | undefined;
  redact(value: unknown): unknown;
  now(): number;
  observer: Observer;
}

/** Numbers and counts the messages of all clients. */
export class Inspector {
  readonly counts = { client: 0, server: 0, invalid: 0 };
  readonly #options: InspectorOptions;

  constructor(options: InspectorOptions) {
    this.#options = options;
  }

  /** Starts to follow a client; `connection` is its number if there can be several. */
  open(connection?: number): InspectedConversation {
    return new InspectedConversation(this.#options, {
      connection,
      count: (entry) => {
        this.counts[entry.from]++;
        if (isInvalid(entry)) this.counts.invalid++;
        return this.counts.client + this.counts.server;
      },
    });
  }
}

interface Counting {
  connection: number | undefined;
  count(entry: Entry): number;
}

/** One client and its server. An error of the inspector itself never reaches them. */
export class InspectedConversation {
  readonly #options: InspectorOptions;
  readonly #counting: Counting;
  readonly #conversation: Conversation;
  readonly #translation: Translation | undefined;

  constructor(options: InspectorOptions, counting: Counting) {
    const { rulesOf, era, translateTo, now, observer } = options;
    this.#options = options;
    this.#counting = counting;
    this.#translation = translateTo === undefined ? undefined : new Translation(translateTo);
    this.#conversation = new Conversation({
      rulesOf,
      era,
      clientEra: translateTo,
      now,
      onEra: (detected) => this.#announce(detected),
    });
    if (era !== undefined) observer.era(era);
  }

  /** Checks a message that was passed on. */
  see(from: Sender, message: unknown, bytes: number, note?: string): void {
    const { observer, redact } = this.#options;
    try {
      const seen = this.#conversation.see(from, message, bytes);
      const { entry } = seen;
      entry.n = this.#counting.count(entry);
      if (this.#counting.connection !== undefined) entry.connection = this.#counting.connection;
      if (note !== undefined) entry.notes.push(note);
      observer.entry({ ...entry, body: redact(entry.body) }, seen);
    } catch (error) {
      observer.note(`A message was not checked: ${String(error)}`);
    }
  }

  /** Checks a message of the server, and returns what the client gets; `answer` sends to the server. */
  translate(message: unknown, answer: (message: unknown) => void): readonly unknown[] {
    const bytes = sizeOf(message);
    const method = this.#methodAnswered(message);
    const isUsed = this.#translation?.appliesTo(this.#conversation.era) ?? false;
    if (this.#translation === undefined || (!isUsed && method !== "initialize")) {
      this.see("server", message, bytes);
      return [message];
    }
    const before = this.#translation.translate(message, method);
    this.see("server", message, bytes, isUsed ? before.done : undefined);
    // The era of the server is known only now.
    if (!this.#translation.appliesTo(this.#conversation.era)) return [message];
    for (const one of before.toServer) {
      this.see("client", one, sizeOf(one), "sent by the inspector");
      answer(one);
    }
    return before.toClient;
  }

  /** Reports the requests that got no answer. */
  end(): void {
    const pending = this.#conversation.unanswered();
    for (const { from, id, method } of pending.slice(0, maxUnanswered)) {
      const text = `no answer to ${JSON.stringify(id)} ${method} of the ${from}`;
      this.#options.observer.note(text);
    }
    const more = pending.length - maxUnanswered;
    if (more > 0) this.#options.observer.note(`no answer to ${more} more requests`);
  }

  #methodAnswered(message: unknown): string | undefined {
    const { id, method } = Object(message) as { id?: unknown; method?: unknown };
    if (method !== undefined || (typeof id !== "string" && typeof id !== "number"))
      return undefined;
    return this.#conversation.methodOfAnswer("server", id);
  }

  #announce({ name, from }: DetectedEra): void {
    const { observer, translateTo } = this.#options;
    observer.era(name);
    observer.note(`era ${name}, from ${from}`);
    if (this.#translation?.appliesTo(name) !== false) return;
    observer.note(`nothing is translated: the server is not newer than era ${translateTo}`);
  }
}

const maxUnanswered = 20;

/** Bytes of a message as text; messages of channels are values. */
function sizeOf(message: unknown): number {
  return Buffer.byteLength(JSON.stringify(message) ?? "");
}
