import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { RpcError, rpcCodes } from "../../jsonrpc/index.js";
import { CodexError } from "../../protocol/error.js";
import type { ThreadReadState } from "../../protocol/rpc/v2/read-state.js";
import { appendLines } from "../../rollout/index.js";

/** Where the states are kept, and who hears of changes. */
export interface ReadStatesOptions {
  home: string;
  newId(): string;
  onChange(threadId: string, readState: ThreadReadState): void;
}

/**
 * Knows how far the user has read each thread, for all clients together.
 *
 * It is kept in a file of lines, of which the last about a thread counts; those of long ago are
 * passed over, and a home that cannot be written forgets it with the process.
 */
export class ReadStates {
  readonly #options: ReadStatesOptions;
  #states = new Map<string, ThreadReadState>();
  /** Of the file as it was read or written last; absent before that. */
  #version: string | undefined;
  /** Threads whose state is not in the file yet. */
  #unkept = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  /** What is done with the states is done one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ReadStatesOptions) {
    this.#options = options;
  }

  /** A turn has come to its end, and nobody has read it yet. */
  turnEnded(threadId: string, turnId: string): void {
    void this.#next(() => {
      const before = this.#states.get(threadId)?.firstUnread;
      this.#set(threadId, before ?? { type: "turn", turnId });
    });
  }

  /** The states of threads, by their ids, as far as there are any. */
  of(ids: readonly string[]): Promise<Record<string, ThreadReadState>> {
    return this.#next(async () => {
      await this.#load();
      const known = ids.flatMap((id) => {
        const state = this.#states.get(id);
        return state === undefined ? [] : [[id, state] as const];
      });
      return Object.fromEntries(known);
    });
  }

  /** Marks a thread as read or not; throws when the client has not seen the last state. */
  mark(threadId: string, isRead: boolean, expectedRevision: string): Promise<ThreadReadState> {
    return this.#next(async () => {
      await this.#load();
      const before = this.#states.get(threadId);
      if (before === undefined) {
        throw new CodexError("not_found", `Nothing was ever there to read in thread ${threadId}`);
      }
      if (before.revision !== expectedRevision) {
        const data = { reason: "readStateConflict", readState: before };
        throw new RpcError(rpcCodes.invalidRequest, "read state changed", data);
      }
      return this.#set(threadId, isRead ? null : { type: "threadStart" });
    });
  }

  /** Resolves when all that was said is kept. */
  async close(): Promise<void> {
    await this.#next(() => this.#keep());
  }

  #next<Result>(action: () => Result | Promise<Result>): Promise<Result> {
    const done = this.#last.then(async () => {
      if (this.#version === undefined) {
        await nextTurn(); // nobody who waits for the end of a turn should wait for this
        await this.#load();
      }
      return action();
    });
    this.#last = done.catch(() => undefined);
    return done;
  }

  #set(threadId: string, firstUnread: ThreadReadState["firstUnread"]): ThreadReadState {
    const readState = { firstUnread, revision: this.#options.newId() };
    this.#states.set(threadId, readState);
    this.#unkept.add(threadId);
    this.#timer ??= setTimeout(() => void this.close(), keepAfterMs).unref();
    this.#options.onChange(threadId, readState);
    return readState;
  }

  /** Many turns end in a second when many threads work; one write is enough for all. */
  async #keep(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#unkept.size === 0) return;
    const lines = [...this.#unkept].map((id) => JSON.stringify({ id, ...this.#states.get(id) }));
    this.#unkept.clear();
    await appendLines(this.#path, `${lines.join("\n")}\n`).catch(() => undefined);
    this.#version = await this.#readVersion();
  }

  /** Another process may have changed something. */
  async #load(): Promise<void> {
    await this.#keep();
    const version = await this.#readVersion();
    if (version === this.#version) return;
    this.#version = version;
    const text = await readEnd(this.#path, maxReadBytes).catch(() => "");
    for (const line of text.split("\n")) {
      const entry = tryParse(line);
      if (entry === undefined) continue;
      const { id, firstUnread, revision } = entry;
      this.#states.set(id, { firstUnread, revision });
    }
  }

  async #readVersion(): Promise<string> {
    const stats = await stat(this.#path).catch(() => undefined);
    return stats === undefined ? "" : `${stats.ino} ${stats.size}`;
  }

  get #path(): string {
    return join(this.#options.home, "quire-read-states.jsonl");
  }
}

const keepAfterMs = 1000;

/** The states of some 6,000 threads. */
const maxReadBytes = 1024 * 1024;

/** The end of a file; its first line may be the rest of one. */
async function readEnd(path: string, maxBytes: number): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - maxBytes);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(size - start), 0, null, start);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

function tryParse(line: string): (ThreadReadState & { id: string }) | undefined {
  try {
    const entry = JSON.parse(line) as Partial<ThreadReadState & { id: string }>;
    const isWhole = typeof entry.id === "string" && typeof entry.revision === "string";
    return isWhole ? (entry as ThreadReadState & { id: string }) : undefined;
  } catch {
    return undefined;
  }
}
