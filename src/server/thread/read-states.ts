import { readFileSync, type Stats, statSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { RpcError, rpcCodes } from "../../jsonrpc/index.js";
import { CodexError } from "../../protocol/error.js";
import type { ThreadReadState } from "../../protocol/rpc/v2/read-state.js";
import { appendLines } from "../../rollout/index.js";

/** Options of `ReadStates`. */
export interface ReadStatesOptions {
  home: string;
  newId(): string;
  onChange(threadId: string, readState: ThreadReadState): void;
}

/**
 * Read states of threads, shared by all clients.
 *
 * Stored as lines of a file; the last line of a thread counts. Only the end of a large file is
 * read. If the home is not writable, the states are lost with the process.
 */
export class ReadStates {
  readonly #options: ReadStatesOptions;
  #states = new Map<string, ThreadReadState>();
  /** Version of the file when it was last read or written. */
  #version: string | undefined;
  /** Threads whose state is not stored yet. */
  #unsaved = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  /** The last operation: operations run one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  /** Number of operations that have not finished. */
  #pending = 0;

  constructor(options: ReadStatesOptions) {
    this.#options = options;
  }

  /** Marks a turn that has ended as unread: at once, so that clients are notified before its end. */
  turnEnded(threadId: string, turnId: string): void {
    const mark = () => {
      const before = this.#states.get(threadId)?.firstUnread;
      this.#set(threadId, before ?? { type: "turn", turnId });
    };
    if (this.#pending > 0) {
      void this.#next(mark);
      return;
    }
    if (this.#version === undefined) this.#loadNow();
    mark();
  }

  /** Returns the states of threads by id; threads without a state are omitted. */
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

  /** Marks a thread as read or unread; throws if `expectedRevision` is not the current one. */
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

  /** Resolves when all states are stored. */
  async close(): Promise<void> {
    await this.#next(() => this.#save());
  }

  #next<Result>(action: () => Result | Promise<Result>): Promise<Result> {
    this.#pending++;
    const done = this.#last.then(async () => {
      if (this.#version === undefined) {
        await nextTurn(); // must not delay the end of a turn
        await this.#load();
      }
      return action();
    });
    this.#last = done.catch(() => undefined).then(() => this.#pending--);
    return done;
  }

  #set(threadId: string, firstUnread: ThreadReadState["firstUnread"]): ThreadReadState {
    const readState = { firstUnread, revision: this.#options.newId() };
    this.#states.set(threadId, readState);
    this.#unsaved.add(threadId);
    this.#timer ??= setTimeout(() => void this.close(), saveAfterMs).unref();
    this.#options.onChange(threadId, readState);
    return readState;
  }

  /** Stores the pending states with one write: with many threads, many turns end per second. */
  async #save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#unsaved.size === 0) return;
    const lines = [...this.#unsaved].map((id) => JSON.stringify({ id, ...this.#states.get(id) }));
    this.#unsaved.clear();
    await appendLines(this.#path, `${lines.join("\n")}\n`).catch(() => undefined);
    this.#version = versionOf(await stat(this.#path).catch(() => undefined));
  }

  /** Reads the file again if another process has changed it. */
  async #load(): Promise<void> {
    await this.#save();
    const version = versionOf(await stat(this.#path).catch(() => undefined));
    if (version === this.#version) return;
    this.#version = version;
    this.#add(await readEnd(this.#path, maxReadBytes).catch(() => ""));
  }

  /** Reads the file for the first time, without a pause: it is small, and absent at first. */
  #loadNow(): void {
    try {
      const stats = statSync(this.#path, { throwIfNoEntry: false });
      this.#version = versionOf(stats);
      if (stats === undefined) return;
      const text = readFileSync(this.#path);
      this.#add(text.subarray(Math.max(0, text.length - maxReadBytes)).toString("utf8"));
    } catch {
      this.#version = "";
    }
  }

  #add(text: string): void {
    for (const line of text.split("\n")) {
      const entry = tryParse(line);
      if (entry === undefined) continue;
      const { id, firstUnread, revision } = entry;
      this.#states.set(id, { firstUnread, revision });
    }
  }

  get #path(): string {
    return join(this.#options.home, "quire-read-states.jsonl");
  }
}

const saveAfterMs = 1000;

/** Enough for about 6,000 threads. */
const maxReadBytes = 1024 * 1024;

function versionOf(stats: Stats | undefined): string {
  return stats === undefined ? "" : `${stats.ino} ${stats.size}`;
}

/** Reads the end of a file; the first line may be incomplete. */
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
