import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { CodexError } from "../../protocol/error.js";

/** The folder that has the working directories of all threads, on storage that the workers share. */
export class Workspaces {
  readonly #root: string;

  constructor(root: string) {
    try {
      this.#root = realpathSync(root);
    } catch {
      throw new CodexError("config", `The workspace root ${root} does not exist; create it first`);
    }
  }

  get root(): string {
    return this.#root;
  }

  /** Throws if a folder is not below the root. */
  check(cwd: string): void {
    let real: string;
    try {
      real = realpathSync(cwd);
    } catch {
      throw new CodexError("invalid_request", `The working directory ${cwd} does not exist`);
    }
    const path = relative(this.#root, real);
    if (path !== ".." && !path.startsWith(`..${sep}`)) return;
    const message = `The working directory must be below the workspace root ${this.#root} (got ${cwd})`;
    throw new CodexError("invalid_request", message);
  }

  /** Marks the folder of a thread as used under a lease; commands check it before they start. */
  lock(threadId: string, epoch: number): WorkspaceLock {
    const folder = join(this.#root, ".quire-fleet");
    mkdirSync(folder, { recursive: true });
    const path = join(folder, `${threadId}.lock`);
    const lock = new WorkspaceLock(path, epoch);
    if (lock.stored > epoch) {
      const message = `The folder of thread ${threadId} is used under a newer lease (${lock.stored})`;
      throw new CodexError("invalid_request", message);
    }
    writeFileSync(`${path}.${epoch}`, `${epoch}\n`);
    renameSync(`${path}.${epoch}`, path);
    return lock;
  }
}

/** The lock of one thread. A worker that was stopped for a while finds in it that another one has gone on. */
class WorkspaceLock {
  readonly #path: string;
  readonly #epoch: number;

  constructor(path: string, epoch: number) {
    this.#path = path;
    this.#epoch = epoch;
  }

  /** Epoch in the file; 0 if there is none. */
  get stored(): number {
    try {
      return Number(readFileSync(this.#path, "utf8")) || 0;
    } catch {
      return 0;
    }
  }

  get isHeld(): boolean {
    return this.stored === this.#epoch;
  }

  release(): void {
    if (this.isHeld) rmSync(this.#path, { force: true });
  }
}
