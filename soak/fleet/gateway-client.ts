import { randomUUID } from "node:crypto";
import WebSocket from "ws";
import { createDeferred, type Deferred } from "../../src/lib/async.js";

/** A notification with its number in the log of the thread. */
export interface Numbered {
  seq: number;
  method: string;
  params: unknown;
}

/** A client of one thread that changes to another gateway whenever its line is lost. */
export class GatewayClient {
  readonly threads = new Set<string>();
  /** Numbered notifications in the order in which they came. */
  readonly numbered: Numbered[] = [];
  readonly #urls: () => readonly string[];
  readonly #calls = new Map<number, Deferred<unknown>>();
  readonly #ended = new Set<string>();
  readonly #waiting = new Set<() => void>();
  #socket: WebSocket | undefined;
  #connecting: Promise<void> | undefined;
  #next = 0;
  #isClosed = false;

  constructor(urls: () => readonly string[]) {
    this.#urls = urls;
  }

  get lastSeq(): number {
    return this.numbered.at(-1)?.seq ?? 0;
  }

  /** Calls a method, again and again until some gateway answers. */
  async call(method: string, params: object): Promise<Record<string, never>> {
    for (;;) {
      try {
        await this.#connected();
        return (await this.#send(method, params)) as Record<string, never>;
      } catch (error) {
        if (!(error instanceof LineLost) || this.#isClosed) throw error;
      }
    }
  }

  /** Starts a turn; a message that is sent twice is one message. */
  async startTurn(threadId: string, text: string): Promise<string> {
    const clientUserMessageId = randomUUID();
    const input = [{ type: "text", text }];
    const started = await this.call("turn/start", { threadId, input, clientUserMessageId });
    return (started as unknown as { turn: { id: string } }).turn.id;
  }

  async whenEnded(turn: string, limitMs: number): Promise<boolean> {
    const endMs = performance.now() + limitMs;
    while (!this.#ended.has(turn) && performance.now() < endMs) {
      const changed = createDeferred<void>();
      this.#waiting.add(changed.resolve);
      const timer = setTimeout(changed.resolve, 250);
      await changed.promise;
      clearTimeout(timer);
      this.#waiting.delete(changed.resolve);
    }
    return this.#ended.has(turn);
  }

  /** Ends the connection for good. */
  disconnect(): void {
    this.#isClosed = true;
    this.#socket?.terminate();
  }

  async #connected(): Promise<void> {
    if (this.#socket?.readyState === WebSocket.OPEN && this.#connecting === undefined) return;
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    await this.#connecting;
  }

  async #connect(): Promise<void> {
    for (let attempt = 0; !this.#isClosed; attempt++) {
      const urls = this.#urls();
      const url = urls[(attempt + Math.floor(Math.random() * 2)) % urls.length] ?? "";
      try {
        await this.#open(url);
        await this.#send("initialize", {
          clientInfo: { name: "soak", version: "1" },
          capabilities: { sequenceNumbers: true, experimentalApi: true },
        });
        this.#socket?.send(JSON.stringify({ method: "initialized" }));
        for (const threadId of this.threads) {
          const after = this.lastSeq;
          await this.#send("thread/resume", { threadId, after, excludeTurns: true });
        }
        return;
      } catch (error) {
        if (!(error instanceof LineLost)) throw error;
        this.#socket?.terminate();
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
    throw new LineLost("closed");
  }

  #open(url: string): Promise<void> {
    const socket = new WebSocket(url);
    this.#socket = socket;
    const opened = createDeferred<void>();
    socket.on("open", () => opened.resolve());
    socket.on("error", () => {});
    socket.on("message", (data) => this.#read(JSON.parse(String(data))));
    socket.on("close", () => {
      opened.reject(new LineLost(url));
      if (this.#socket !== socket) return;
      for (const { reject } of this.#calls.values()) reject(new LineLost(url));
      this.#calls.clear();
      // Notifications of a turn come also if no call is under way.
      if (!this.#isClosed && this.threads.size > 0) {
        setTimeout(() => this.#connected().catch(() => {}), 50);
      }
    });
    return opened.promise;
  }

  #send(method: string, params: object): Promise<unknown> {
    const id = ++this.#next;
    const answer = createDeferred<unknown>();
    this.#calls.set(id, answer);
    this.#socket?.send(JSON.stringify({ id, method, params }), (error) => {
      if (error) answer.reject(new LineLost(method));
    });
    return answer.promise;
  }

  #read(message: Message): void {
    const { id, method, params, result, error, seq } = message;
    if (method === undefined) {
      const call = this.#calls.get(id ?? 0);
      this.#calls.delete(id ?? 0);
      if (error === undefined) call?.resolve(result);
      else call?.reject(new Error(`${JSON.stringify(error)}`));
      return;
    }
    if (seq !== undefined) this.numbered.push({ seq, method, params });
    if (method === "turn/completed") {
      this.#ended.add((params as { turn: { id: string } }).turn.id);
    }
    for (const wake of [...this.#waiting]) wake();
  }
}

interface Message {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: unknown;
  seq?: number;
}

class LineLost extends Error {}
