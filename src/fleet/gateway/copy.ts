import { appendFileSync, mkdirSync, rmSync, utimesSync } from "node:fs";
import { dirname } from "node:path";
import type { RolloutLine } from "../../protocol/types.js";
import { rolloutPath } from "../../rollout/index.js";

/**
 * A copy of a thread's rollout in the gateway's own folder, for the methods that read history.
 *
 * The same lines are at the same place at every gateway, and the time of its last change is that of the last line.
 */
export class RolloutCopy {
  readonly path: string;
  #lines: string[] = [];
  #lastTime: Date | undefined;

  constructor(home: string, threadId: string, startedAt: Date) {
    this.path = rolloutPath(home, startedAt, threadId);
    rmSync(this.path, { force: true });
    mkdirSync(dirname(this.path), { recursive: true });
  }

  add(line: RolloutLine): void {
    this.#lines.push(`${JSON.stringify(line)}\n`);
    this.#lastTime = new Date(line.timestamp);
  }

  /** Writes the lines that were added. */
  flush(): void {
    if (this.#lines.length === 0) return;
    appendFileSync(this.path, this.#lines.splice(0).join(""));
    if (this.#lastTime !== undefined) utimesSync(this.path, this.#lastTime, this.#lastTime);
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}
