import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { createDeferred } from "../../lib/async.js";
import { HeadTailBuffer } from "../../lib/head-tail-buffer.js";
import { endTree, type ProcessTree, treeOf } from "../../lib/process-tree.js";
import { Malformed, maxLineBytes, readJsonLines, toJsonLine } from "../../transport/index.js";
import { FloodGuard, floodReason, type ServerTransport } from "../server-transport.js";
import {
  type LiveProcesses,
  type ServerProcess,
  type StartedServer,
  type StdioLaunch,
  spawnServer,
  startFailureText,
} from "./process.js";

/**
 * Transport over the standard streams of a server's program.
 *
 * The program runs in a separate process group and is stopped with all its children. Lines that are
 * not messages are skipped; a line that is too long, or a flood, disconnects the server.
 */
export class StdioTransport implements ServerTransport {
  onmessage?: Transport["onmessage"];
  onclose?: Transport["onclose"];
  onerror?: Transport["onerror"];

  readonly #launch: StdioLaunch;
  readonly #live: LiveProcesses;
  readonly #start: () => Promise<StartedServer>;
  readonly #guard = new FloodGuard();
  readonly #stderr = new HeadTailBuffer(0, keptStderrBytes);
  readonly #exited = createDeferred<void>();
  #spawning: Promise<void> | undefined;
  #child: ServerProcess | undefined;
  #cutOff: string | undefined;
  #end: string | undefined;
  #closing: Promise<void> | undefined;

  /** `spawn` replaces the plain start of the program. */
  constructor(launch: StdioLaunch, live: LiveProcesses, spawn = () => plainStart(launch)) {
    this.#launch = launch;
    this.#live = live;
    this.#start = spawn;
  }

  /** Reason why the server is gone, for the user; undefined while it is connected. */
  get endReason(): string | undefined {
    return this.#cutOff ?? this.#end;
  }

  /** Starts the program early, so that it initializes in parallel. */
  prepare(): void {
    this.#spawning ??= this.#spawn();
    // `start` reports the rejection.
    this.#spawning.catch(() => {});
  }

  async start(): Promise<void> {
    this.prepare();
    await this.#spawning;
    if (this.endReason !== undefined) throw new Error(this.endReason);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin === undefined || this.endReason !== undefined) {
      throw new Error(this.endReason ?? "the server was not started");
    }
    if (stdin.writableLength > maxLineBytes) return this.#cut(notReading);
    stdin.write(toJsonLine(message));
  }

  close(): Promise<void> {
    this.#closing ??= this.#endAll();
    return this.#closing;
  }

  async #spawn(): Promise<void> {
    try {
      const { process, stdout = process.stdout } = await this.#start();
      this.#child = process;
      this.#watch(process, stdout);
    } catch (error) {
      this.#end = await startFailureText(error, this.#launch.cwd);
      throw new Error(this.#end);
    }
  }

  #watch(child: ServerProcess, stdout: AsyncIterable<Buffer>): void {
    const { pid, stdin, stderr } = child;
    this.#live.add(pid);
    // Write errors are reported by the end of the process.
    stdin.on("error", () => {});
    stderr.on("data", (chunk: Buffer) => this.#stderr.push(chunk));
    stderr.on("error", () => {});
    const read = this.#read(stdout);
    child.once("exit", async (code, signal) => {
      this.#exited.resolve();
      // The last output has often not been read yet when the process exits.
      await Promise.race([read, unrefDelay(readOutMs)]);
      this.#end ??= this.#describeEnd(code, signal);
      await this.close();
      this.#live.remove(pid);
      this.onclose?.();
    });
  }

  async #read(stdout: AsyncIterable<Buffer>): Promise<void> {
    for await (const line of readJsonLines(this.#guarded(stdout))) {
      if (line instanceof Malformed) this.onerror?.(new Error(line.reason));
      else for (const message of Array.isArray(line) ? line : [line]) this.#deliver(message);
    }
  }

  #deliver(message: unknown): void {
    if (typeof message !== "object" || message === null || this.#cutOff !== undefined) return;
    const isNotification = "method" in message && !("id" in message);
    // Dispatching many log messages would take longer than reading them.
    if (isNotification && !handledNotifications.has(message.method)) return;
    if (this.#guard.allowsMessage(message)) this.onmessage?.(message as JSONRPCMessage);
    else this.#cut(floodReason);
  }

  async *#guarded(stdout: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let lineBytes = 0;
    for await (const chunk of stdout) {
      const rest = chunk.lastIndexOf("\n");
      lineBytes = rest < 0 ? lineBytes + chunk.length : chunk.length - rest - 1;
      if (lineBytes > maxLineBytes) return this.#cut(tooLong);
      if (!this.#guard.allowsBytes(chunk.length)) return this.#cut(floodReason);
      yield chunk;
    }
  }

  #cut(reason: string): void {
    this.#cutOff ??= reason;
    void this.close();
  }

  async #endAll(): Promise<void> {
    await this.#spawning?.catch(() => {});
    const child = this.#child;
    if (child === undefined) return this.onclose?.();
    const isGone = child.exitCode !== null || child.signalCode !== null;
    const tree: ProcessTree = isGone ? { pid: child.pid } : treeOf(child.pid);
    if (!isGone) {
      this.#end ??= "the server was closed";
      child.stdin.end();
      const isCut = this.#cutOff !== undefined;
      if (!isCut) await Promise.race([this.#exited.promise, unrefDelay(stdinGraceMs)]);
    }
    await endTree(tree, signalGraceMs);
    await this.#exited.promise;
  }

  #describeEnd(code: number | null, signal: string | null): string {
    const how =
      signal === null
        ? `the server exited with code ${code}`
        : `the server was killed by ${signal}`;
    const stderr = this.#stderr.tail().toString("utf8").trim();
    return stderr === "" ? how : `${how}; stderr: ${stderr}`;
  }
}

async function plainStart(launch: StdioLaunch): Promise<StartedServer> {
  return { process: await spawnServer(launch) };
}

const tooLong = "the server sent a message larger than 64 MiB";
const notReading = "the server does not read its input";

/** Notifications that are handled. */
const handledNotifications = new Set<unknown>([
  "notifications/progress",
  "notifications/cancelled",
  "notifications/tools/list_changed",
]);

const keptStderrBytes = 4 * 1024;
/** A program should exit when its input ends; otherwise it is sent SIGTERM, then SIGKILL. */
const stdinGraceMs = 300;
const signalGraceMs = 700;
const readOutMs = 200;

function unrefDelay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
