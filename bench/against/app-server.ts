import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { cpuMs, residentMb } from "../process-facts.js";
import { LineSplitter } from "./line-splitter.js";

/** Options for starting an app-server under measurement. */
export interface ServerStart {
  command: readonly string[];
  cwd: string;
  env: Record<string, string>;
}

/**
 * An app-server under measurement, over stdio.
 *
 * Reads only the head of a line unless the line is awaited, so that the measurement covers the server. The
 * caller ends it.
 */
export class AppServer {
  /** Number of text deltas received so far. */
  deltas = 0;
  /** Number of commands in turns that succeeded so far. */
  succeeded = 0;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #replies = new Map<number, Waiter>();
  readonly #notices = new Set<Notice>();
  #asked = 0;
  #stderr = "";
  /** Set when it has ended; requests after that fail at once. */
  #gone: Error | undefined;

  constructor({ command: [file = "", ...args], cwd, env }: ServerStart) {
    this.#child = spawn(file, args, { cwd, env });
    const lines = new LineSplitter((line) => this.#take(line));
    this.#child.stdout.on("data", (data: Buffer) => lines.push(data));
    this.#child.stdin.on("error", () => {});
    this.#child.stderr.on("data", (data: Buffer) => {
      this.#stderr = (this.#stderr + data).slice(-2000);
    });
    // Unlike `exit`, this comes after its last words.
    this.#child.on("close", (code, signal) => this.#fail(endOf(code, signal)));
    this.#child.on("error", ({ message }) => this.#fail(message));
  }

  /** Starts it and shakes hands. */
  static async start(start: ServerStart): Promise<AppServer> {
    const server = new AppServer(start);
    await server.initialize();
    return server;
  }

  get cpuMs(): number {
    return cpuMs(this.#child.pid ?? 0);
  }

  get residentMb(): number {
    return residentMb(this.#child.pid ?? 0);
  }

  async initialize(): Promise<void> {
    const clientInfo = { name: "bench", title: null, version: "1.0.0" };
    await this.request("initialize", { clientInfo });
    this.#send({ method: "initialized" });
  }

  /** Starts a thread and returns its id. */
  async startThread(params: object = {}): Promise<string> {
    const { thread } = await this.request<{ thread: { id: string } }>("thread/start", params);
    return thread.id;
  }

  /** One turn, to its end; a turn that failed throws. */
  async turn(threadId: string): Promise<void> {
    const input = [{ type: "text", text: "hi" }];
    // Both fail if the server ends, and the one that nobody waits for would hide the reason.
    const [completed] = await Promise.all([
      this.#notified("turn/completed", threadId),
      this.request("turn/start", { threadId, input }),
    ]);
    const { turn } = JSON.parse(completed).params as { turn: Turn };
    if (turn.status !== "completed") throw new Error(`The turn ended as ${JSON.stringify(turn)}`);
  }

  /** Sends a request and returns its result. */
  async request<Result>(method: string, params: object): Promise<Result> {
    const id = ++this.#asked;
    const line = await new Promise<string>((resolve, reject) => {
      if (this.#gone !== undefined) return reject(this.#gone);
      this.#replies.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
    const { result, error } = JSON.parse(line) as Reply<Result>;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  async end(): Promise<void> {
    this.#child.stdin.end();
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 5000);
    await once(this.#child, "exit");
    clearTimeout(timer);
  }

  #send(message: object): void {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** The line of the next notification of a method about a thread. */
  #notified(method: string, threadId: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#notices.add({ method, threadId, resolve, reject });
    });
  }

  #take(line: Buffer): void {
    const head = line.toString("latin1", 0, 64);
    if (head.includes('"item/agentMessage/delta"')) {
      this.deltas++;
      return;
    }
    const method = /^\{(?:"jsonrpc":"2.0",)?"method":"([^"]+)/.exec(head)?.[1];
    if (method === undefined) {
      this.#settle(head, line);
      return;
    }
    if (method === "item/completed" && line.includes('"exitCode":0')) this.succeeded++;
    for (const notice of this.#notices) {
      if (notice.method !== method || !line.includes(notice.threadId)) continue;
      this.#notices.delete(notice);
      notice.resolve(line.toString());
    }
  }

  /** Errors have their id at the end, so they are parsed whole. */
  #settle(head: string, line: Buffer): void {
    const known = /^\{(?:"jsonrpc":"2.0",)?"id":(\d+)/.exec(head)?.[1];
    const id = known === undefined ? JSON.parse(line.toString()).id : Number(known);
    this.#replies.get(id)?.resolve(line.toString());
    this.#replies.delete(id);
  }

  #fail(reason: string): void {
    this.#gone ??= new Error(`The server is gone: ${reason}\n${this.#stderr}`);
    for (const { reject } of [...this.#replies.values(), ...this.#notices]) reject(this.#gone);
    this.#replies.clear();
    this.#notices.clear();
  }
}

/** Returns how a process has ended, for a message. */
export function endOf(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`;
}

interface Waiter {
  resolve(line: string): void;
  reject(error: Error): void;
}

interface Notice extends Waiter {
  method: string;
  threadId: string;
}

interface Turn {
  status: string;
}

interface Reply<Result> {
  result: Result;
  error?: { message: string };
}
