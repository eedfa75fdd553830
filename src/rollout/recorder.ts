import { basename } from "node:path";
import { CodexError } from "../protocol/error.js";
import type { RolloutItem } from "../protocol/types.js";
import { parseRolloutFileName } from "./file-name.js";
import { isUserMessage } from "./items/response-item.js";
import { LineFile, type WriteState } from "./line-file.js";
import { ItemConverter, nextOrdinal } from "./numbered-lines.js";
import { type RolloutBehavior, toRolloutLine } from "./persist.js";
import { takeWriterLock, type WriterLock } from "./writer-lock.js";

/** Options for recording a rollout. */
export interface RecorderOptions {
  path: string;
  now(): number;
  /** Called when writes start to fail and when lines are dropped; the conversation continues. */
  onFailure(message: string): void;
  /** Called when all queued lines have been written. */
  onRecovery?(message: string): void;
  /**
   * When to create the file: at once, with the first user message or goal (earlier lines are held
   * back until then), or never, for a file that is resumed.
   */
  create?: "at once" | "with the first message" | "never";
  /** Path of the lock that prevents other processes from writing the conversation. */
  lock?: string;
  behavior?: RolloutBehavior;
  /** Limit of the queue while the disk rejects writes. */
  maxQueuedBytes?: number;
}

/**
 * Writes a conversation to its file, one line per item.
 *
 * Each line is passed to the system before `append` returns: a killed process loses at most the
 * line being written, and no client receives an event that is not in the file. While the disk is
 * full or not writable, lines are queued in memory.
 */
export class RolloutRecorder {
  readonly path: string;
  readonly #options: RecorderOptions;
  readonly #file: LineFile;
  #lock: WriterLock | undefined;
  #heldBack: Buffer[] | undefined;
  /** Lines that are written in one piece with the next one. */
  readonly #forNext: Buffer[] = [];
  /** Undefined if lines are not numbered, as in all files created here. */
  #nextOrdinal: number | undefined;
  #itemConverter: ItemConverter | undefined;
  #state: WriteState = { failure: undefined, lost: 0 };
  #closed = false;

  /** Throws only if another process is writing the conversation. */
  constructor(options: RecorderOptions) {
    const { path, create = "at once", maxQueuedBytes } = options;
    this.path = path;
    this.#options = options;
    this.#file = new LineFile(path, {
      create: create !== "never",
      ...(maxQueuedBytes === undefined ? {} : { maxQueuedBytes }),
    });
    if (create === "with the first message") this.#heldBack = [];
    this.#lock = this.#takeLock();
    if (create === "never") this.#followNumbers();
    if (create === "at once") this.#write([]);
  }

  /** Records an item, at once or in one write with the next one; never throws. */
  append(item: RolloutItem, when?: "with the next"): void {
    if (this.#closed) return;
    const line = this.#toLine(item);
    if (when !== undefined) {
      this.#forNext.push(line);
      return;
    }
    this.#writeOrHold([...this.#forNext.splice(0), line]);
    if (this.#heldBack !== undefined && isFirstMessage(item)) this.#release();
  }

  /** Passes lines to the system in one piece, or keeps them until the file is created. */
  #writeOrHold(lines: readonly Buffer[]): void {
    if (this.#heldBack === undefined) this.#write([Buffer.concat(lines)]);
    else this.#heldBack.push(...lines);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#forNext.length > 0) this.#writeOrHold(this.#forNext.splice(0));
    const queued = this.#file.queued;
    const { failure } = this.#file.close();
    this.#lock?.release();
    if (failure === undefined) return;
    const lines = queued === 1 ? "The last line" : `The last ${queued} lines`;
    this.#options.onFailure(
      `${lines} of the conversation could not be written to ${this.path}: ${failure.message}`,
    );
  }

  /** Versions that number lines show users only items. */
  #followNumbers(): void {
    this.#nextOrdinal = nextOrdinal(this.path);
    const { id } = parseRolloutFileName(basename(this.path)) ?? {};
    if (this.#nextOrdinal === undefined || id === undefined) return;
    this.#itemConverter = new ItemConverter(id, this.#options.now);
  }

  #toLine(item: RolloutItem): Buffer {
    const { now, behavior = defaultBehavior } = this.#options;
    if (this.#nextOrdinal === undefined) return toRolloutLine(item, now(), behavior);
    const converted = this.#itemConverter?.convert(item) ?? item;
    return toRolloutLine(converted, now(), behavior, this.#nextOrdinal++);
  }

  #release(): void {
    const lines = this.#heldBack ?? [];
    this.#heldBack = undefined;
    this.#write(lines);
  }

  #write(lines: readonly Buffer[]): void {
    const before = this.#state;
    const after = this.#file.write(lines);
    this.#state = after;
    const { onFailure, onRecovery } = this.#options;
    if (after.failure !== undefined && before.failure === undefined) {
      onFailure(
        `Cannot write the conversation to ${this.path}: ${after.failure.message}. It continues; new ` +
          "lines are queued in memory and written as soon as possible.",
      );
    }
    if (after.lost > 0 && before.lost === 0) {
      onFailure(
        `The queue of lines for ${this.path} is full; new lines are not recorded until the disk ` +
          "has space.",
      );
    }
    if (after.failure === undefined && before.failure !== undefined) {
      onRecovery?.(recovered(this.path, after.lost));
    }
  }

  /** If no lock can be created, the file cannot be written either; the first write reports it. */
  #takeLock(): WriterLock | undefined {
    if (this.#options.lock === undefined) return undefined;
    try {
      return takeWriterLock(this.#options.lock);
    } catch (error) {
      if (error instanceof CodexError) throw error;
      return undefined;
    }
  }
}

const defaultBehavior: RolloutBehavior = { policyTag: "mode" };

function isFirstMessage({ type, payload }: RolloutItem): boolean {
  if (type === "event_msg") {
    return payload.type === "user_message" || payload.type === "thread_goal_updated";
  }
  return type === "response_item" && isUserMessage(payload);
}

function recovered(path: string, lost: number): string {
  const loss = lost === 0 ? "nothing was lost" : `${lost} lines were lost`;
  return `The conversation is written to ${path} again; ${loss}.`;
}
