import {
  type FSWatcher,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  watch,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { errorCode, errorText } from "../../lib/errors.js";
import { withFileLock } from "../../lib/file-lock.js";
import { randomUuid } from "../../lib/ids.js";
import { UnreachableError } from "../broker.js";
import { Changes } from "../changes.js";

/** Files of one kind, by name. Its watchers are notified of changes by other processes too. */
export class Folder {
  readonly path: string;
  readonly #warn: (text: string) => void;
  readonly #closed: AbortSignal;
  readonly #changes = new Map<string, Changes>();
  readonly #any = new Changes();
  #watcher: FSWatcher | undefined;

  constructor(path: string, warn: (text: string) => void, closed: AbortSignal) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    this.path = path;
    this.#warn = warn;
    this.#closed = closed;
    closed.addEventListener("abort", () => this.#watcher?.close());
  }

  file(name: string): string {
    return join(this.path, toFileName(name));
  }

  /** Names of all files. */
  names(): string[] {
    return readdirSync(this.path)
      .filter((file) => !file.startsWith(".") && !file.includes(".lock"))
      .map(fromFileName);
  }

  read(name: string): unknown {
    try {
      return JSON.parse(readFileSync(this.file(name), "utf8"));
    } catch (error) {
      if (errorCode(error) === "ENOENT" || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  /** Reads a value; one for which `parse` throws is skipped with a warning. */
  readAs<Value>(name: string, parse: (value: unknown) => Value): Value | undefined {
    const value = this.read(name);
    if (value === undefined) return undefined;
    try {
      return parse(value);
    } catch (error) {
      this.#warn(`Skipped ${this.file(name)}: ${errorText(error)}`);
      return undefined;
    }
  }

  /** Replaces a file: readers see the old or the new value, also if this process is killed. */
  async write(name: string, value: unknown): Promise<void> {
    const temporary = join(this.path, `.${randomUuid()}`);
    writeFileSync(temporary, JSON.stringify(value), { mode: 0o600 });
    renameSync(temporary, this.file(name));
  }

  remove(name: string): void {
    rmSync(this.file(name), { force: true });
  }

  /** Runs some work while no other process works with the same file. */
  async locked<Result>(name: string, work: () => Result | Promise<Result>): Promise<Result> {
    if (this.#closed.aborted) throw new UnreachableError("The broker is closed");
    const patience = { sameHolderMs: 2_000, totalMs: 5_000 };
    try {
      return await withFileLock(`${this.file(name)}.lock`, patience, work);
    } catch (error) {
      if (error instanceof Error && error.message.startsWith("Another process holds the lock")) {
        throw new UnreachableError(error.message);
      }
      throw error;
    }
  }

  /** Resolves when a file, or any file, may have changed, or the signal aborts. */
  async changed(name: string | undefined, signal: AbortSignal): Promise<void> {
    this.#watcher ??= watch(this.path, { persistent: false }, (_, file) => {
      this.#any.notify();
      if (file !== null) this.#changes.get(file)?.notify();
    }).on("error", () => {});
    // Not every file system reports changes.
    await this.#changesOf(name).next(signal, pollMs);
  }

  #changesOf(name: string | undefined): Changes {
    if (name === undefined) return this.#any;
    const file = toFileName(name);
    const changes = this.#changes.get(file) ?? new Changes();
    this.#changes.set(file, changes);
    return changes;
  }
}

const pollMs = 250;

/** Encodes a name as the name of a file. */
function toFileName(name: string): string {
  return /^[A-Za-z0-9_-]{1,200}$/.test(name) ? name : `=${Buffer.from(name).toString("hex")}`;
}

function fromFileName(file: string): string {
  return file.startsWith("=") ? Buffer.from(file.slice(1), "hex").toString() : file;
}
