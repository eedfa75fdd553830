import {
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, relative, sep } from "node:path";
import { CodexError } from "../../protocol/error.js";
import type { ConfigureSessionOp } from "../../protocol/types.js";

/** The folder of a thread, as long as its owner uses it. */
export interface Workspace {
  /** False if another worker has taken the folder. */
  readonly isHeld: boolean;
  /** Stores the state of the folder, so that the log may report it. */
  save?(): Promise<void>;
  /** Stores it for the last time. */
  leave?(): Promise<void>;
  release(): void;
}

/** The folder that has the working directories of all threads, on storage that the workers share. */
export class Workspaces {
  readonly #root: string;

  constructor(root: string) {
    const found = statSync(root, { throwIfNoEntry: false });
    if (found?.isDirectory() !== true) {
      const problem = found === undefined ? "does not exist; create it first" : "is not a folder";
      throw new CodexError("config", `The workspace root ${root} ${problem}`);
    }
    this.#root = realpathSync(root);
  }

  get root(): string {
    return this.#root;
  }

  /** Folder of the fleet's own files. */
  get folder(): string {
    return join(this.#root, ".quire-fleet");
  }

  /** Makes everything ready before the first thread; throws if that fails. */
  async prepare(): Promise<void> {
    mkdirSync(this.folder, { recursive: true });
  }

  /** Folder of a thread that names none. */
  folderOf(_threadId: string): string {
    return this.#root;
  }

  /** Returns the op with the folder in which the thread runs. */
  withFolder(threadId: string, op: ConfigureSessionOp): ConfigureSessionOp {
    const cwd = op.cwd === undefined ? this.folderOf(threadId) : this.place(threadId, op.cwd);
    return { ...op, cwd };
  }

  /** Returns the folder that a client means; throws if it is not below the root. */
  place(_threadId: string, cwd: string): string {
    let real: string;
    try {
      real = realpathSync(cwd);
    } catch {
      throw new CodexError("invalid_request", `The working directory ${cwd} does not exist`);
    }
    const path = relative(this.#root, real);
    if (path !== ".." && !path.startsWith(`..${sep}`)) return cwd;
    const message = `The working directory must be below the workspace root ${this.#root} (got ${cwd})`;
    throw new CodexError("invalid_request", message);
  }

  /** Marks the folder of a thread as used under a lease; commands check it before they start. */
  async open(threadId: string, epoch: number): Promise<Workspace> {
    const path = this.#lockOf(threadId);
    mkdirSync(this.folder, { recursive: true });
    const lock = new WorkspaceLock(path, epoch);
    if (lock.stored > epoch) {
      const message = `The folder of thread ${threadId} is used under a newer lease (${lock.stored})`;
      throw new CodexError("invalid_request", message);
    }
    writeFileSync(`${path}.${epoch}`, `${epoch}\n`);
    renameSync(`${path}.${epoch}`, path);
    return lock;
  }

  /** Deletes the files of the fleet for a thread; the folders that clients have named stay. */
  async forget(threadId: string): Promise<void> {
    rmSync(this.#lockOf(threadId), { force: true });
  }

  #lockOf(threadId: string): string {
    return join(this.folder, `${threadId}.lock`);
  }
}

/** The lock of one thread. A worker that was stopped for a while finds in it that another one has gone on. */
class WorkspaceLock implements Workspace {
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
