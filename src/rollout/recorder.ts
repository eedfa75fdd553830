import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { RolloutItem } from "../protocol/types.js";

/** Where a rollout is written and by which clock its lines are stamped. */
export interface RecorderOptions {
  path: string;
  now(): number;
  /** Called once when writing fails; what follows is not recorded any more. */
  onFailure(message: string): void;
}

/**
 * Writes a conversation to its file, a line an item.
 *
 * Each line is handed to the system before `append` returns: a process that is killed loses at
 * most the line it was writing, and no client hears of an event that is not in the file.
 */
export class RolloutRecorder {
  readonly path: string;
  #now: () => number;
  #onFailure: (message: string) => void;
  #fd: number | undefined;

  constructor({ path, now, onFailure }: RecorderOptions) {
    this.path = path;
    this.#now = now;
    this.#onFailure = onFailure;
    this.#try(() => {
      mkdirSync(dirname(path), { recursive: true });
      this.#fd = openSync(path, "a", 0o600);
    });
  }

  append(item: RolloutItem): void {
    const fd = this.#fd;
    if (fd === undefined) return;
    const timestamp = new Date(this.#now()).toISOString();
    const line = `${JSON.stringify({ timestamp, type: item.type, payload: item.payload })}\n`;
    this.#try(() => writeAll(fd, Buffer.from(line)));
  }

  async close(): Promise<void> {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #try(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#fd = undefined;
      const reason = error instanceof Error ? error.message : String(error);
      this.#onFailure(`The conversation is not recorded any more: ${reason}`);
    }
  }
}

/** A disk that is nearly full may take only a part of the bytes at once. */
function writeAll(fd: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(fd, bytes, written);
  }
}
