import { basename } from "node:path";
import { CodexError } from "../protocol/error.js";
import type { RolloutItem } from "../protocol/types.js";
import { parseRolloutFileName } from "./file-name.js";
import { isUserMessage } from "./items/response-item.js";
import { LineFile, type WriteState } from "./line-file.js";
import { ItemForm, nextOrdinal } from "./numbered-lines.js";
import { type RolloutBehavior, toRolloutLine } from "./persist.js";
import { takeWriterLock, type WriterLock } from "./writer-lock.js";

/** Where a rollout is written, how, and who hears of trouble. */
export interface RecorderOptions {
  path: string;
  now(): number;
  /** Called when writing begins to fail and when something is lost; the conversation goes on. */
  onFailure(message: string): void;
  /** Called when all that waited is in the file after all. */
  onRecovery?(message: string): void;
  /**
   * When the file is made: at once, with the first message of the user (what was recorded before is
   * held back until then), or never, because it is there and goes on.
   */
  create?: "at once" | "with the first message" | "never";
  /** The lock that keeps other processes from writing the same conversation. */
  lock?: string;
  behavior?: RolloutBehavior;
  /** How much may wait in memory while the disk takes nothing. */
  maxWaitingBytes?: number;
}

/**
 * Writes a conversation to its file, a line an item.
 *
 * Each line is handed to the system before `append` returns: a process that is killed loses at
 * most the line it was writing, and no client hears of an event that is not in the file. When the
 * disk is full or cannot be written, lines wait in memory and are written once that is possible.
 */
export class RolloutRecorder {
  readonly path: string;
  readonly #options: RecorderOptions;
  readonly #file: LineFile;
  #lock: WriterLock | undefined;
  #heldBack: Buffer[] | undefined;
  /** Absent where lines are not numbered, as in all files that we begin. */
  #nextOrdinal: number | undefined;
  #itemForm: ItemForm | undefined;
  #state: WriteState = { failure: undefined, lost: 0 };
  #closed = false;

  /** Throws only when another process is writing the conversation. */
  constructor(options: RecorderOptions) {
    const { path, create = "at once", maxWaitingBytes } = options;
    this.path = path;
    this.#options = options;
    this.#file = new LineFile(path, {
      create: create !== "never",
      ...(maxWaitingBytes === undefined ? {} : { maxWaitingBytes }),
    });
    if (create === "with the first message") this.#heldBack = [];
    this.#lock = this.#takeLock();
    if (create === "never") this.#followNumbers();
    if (create === "at once") this.#write([]);
  }

  /** Records an item; never throws. */
  append(item: RolloutItem): void {
    if (this.#closed) return;
    const line = this.#toLine(item);
    if (this.#heldBack === undefined) {
      this.#write([line]);
      return;
    }
    this.#heldBack.push(line);
    if (isFirstMessage(item)) this.#release();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const waiting = this.#file.waiting;
    const { failure } = this.#file.close();
    this.#lock?.release();
    if (failure === undefined) return;
    const lines = waiting === 1 ? "The last line" : `The last ${waiting} lines`;
    this.#options.onFailure(
      `${lines} of the conversation could not be written to ${this.path}: ${failure.message}`,
    );
  }

  /** Versions that number lines show their users only the items among them. */
  #followNumbers(): void {
    this.#nextOrdinal = nextOrdinal(this.path);
    const { id } = parseRolloutFileName(basename(this.path)) ?? {};
    if (this.#nextOrdinal === undefined || id === undefined) return;
    this.#itemForm = new ItemForm(id, this.#options.now);
  }

  #toLine(item: RolloutItem): Buffer {
    const { now, behavior = byDefault } = this.#options;
    if (this.#nextOrdinal === undefined) return toRolloutLine(item, now(), behavior);
    const said = this.#itemForm?.of(item) ?? item;
    return toRolloutLine(said, now(), behavior, this.#nextOrdinal++);
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
        `The conversation cannot be written to ${this.path} at the moment: ` +
          `${after.failure.message}. It goes on; what is said meanwhile is kept in memory and ` +
          "written as soon as that is possible.",
      );
    }
    if (after.lost > 0 && before.lost === 0) {
      onFailure(
        `Too much of the conversation waits to be written to ${this.path}; what comes now is not ` +
          "recorded until there is room on the disk.",
      );
    }
    if (after.failure === undefined && before.failure !== undefined) {
      onRecovery?.(recovered(this.path, after.lost));
    }
  }

  /** Where no lock can be made, no file can be written either, which is told when it is tried. */
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

const byDefault: RolloutBehavior = { policyTag: "mode" };

function isFirstMessage({ type, payload }: RolloutItem): boolean {
  if (type === "event_msg") return payload.type === "user_message";
  return type === "response_item" && isUserMessage(payload);
}

function recovered(path: string, lost: number): string {
  const loss = lost === 0 ? "nothing was lost" : `${lost} lines were lost`;
  return `The conversation is written to ${path} again; ${loss}.`;
}
