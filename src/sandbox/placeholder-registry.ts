import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readlinkSync, rmdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { createNew, errorless, namesIn, readQuietly, unlinkQuietly } from "../lib/files.js";
import { isProcessRunning, ownStart } from "../lib/process-table.js";
import { depthOf } from "./paths.js";

/** Holder of placeholders: a process and one of its sandboxes, as a file name. */
export type Holder = string;

/** Identifies the directory or file of a placeholder. */
export interface PlaceholderIdentity {
  dev: number;
  ino: number;
  /** The number of a removed inode is soon used again. Absent in records of older versions. */
  birthtimeMs?: number;
}

/** Returns the holder name of a sandbox of this process. */
export function holderOf(id: string): Holder {
  return [process.pid, ownStart(), pidNamespace(), Date.now(), id].join(" ");
}

/**
 * Records the placeholders of directories and the processes of the user that need them.
 *
 * There is no lock: each directory with placeholders has a folder here, with one file per holder
 * and one per placeholder. Holders enter and leave without waiting for each other. Only to remove
 * placeholders, a holder creates the file `closing` and then checks for other holders, while an
 * entering holder creates its file first and then checks for `closing`: at least one of the two
 * sees the other.
 */
export class PlaceholderRegistry {
  readonly #folder: string;
  readonly #self: Holder;
  /** The folder of the last lookup: most commands use the same directory. */
  #last: { directory: string; folder: string } | undefined;

  constructor(shared: string, self: Holder) {
    this.#folder = join(shared, "placeholders");
    this.#self = self;
  }

  /** Adds this process to the holders of a directory. */
  enter(directory: string): void {
    const folder = this.#of(directory);
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const file = join(folder, `${holderPrefix}${this.#self}`);
      if (createNew(file, directory) !== "no folder") return;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    }
  }

  /** Returns true while another holder is removing the placeholders of a directory. */
  isClosing(directory: string): boolean {
    return isRunning(join(this.#of(directory), closing));
  }

  /** Records an entry of a directory as a placeholder. */
  record(directory: string, name: string, identity: PlaceholderIdentity): void {
    createNew(join(this.#of(directory), toRecord(name, identity)), "");
  }

  /** Returns true if an entry of a directory was recorded as a placeholder. */
  isRecorded(directory: string, name: string, identity: PlaceholderIdentity): boolean {
    return existsSync(join(this.#of(directory), toRecord(name, identity)));
  }

  /**
   * Leaves a directory; the last holder removes its placeholders. Returns false if another holder
   * is about to do that: try again.
   */
  leave(directory: string, remove: (name: string, identity: PlaceholderIdentity) => void): boolean {
    return this.#leave(this.#of(directory), remove);
  }

  /** Returns true if the placeholders of a directory have a holder. */
  isHeld(directory: string): boolean {
    return hasLiveHolder(this.#of(directory));
  }

  /** Removes leftovers of killed processes in other directories. */
  sweep(remove: (path: string, identity: PlaceholderIdentity) => void): void {
    const left = namesIn(this.#folder).flatMap((name): { folder: string; directory: string }[] => {
      const folder = join(this.#folder, name);
      const holder = namesIn(folder).find((file) => file.startsWith(holderPrefix));
      if (holder === undefined || hasLiveHolder(folder)) return [];
      return [{ folder, directory: readQuietly(join(folder, holder)) }];
    });
    left.sort((one, other) => depthOf(other.directory) - depthOf(one.directory));
    for (const { folder, directory } of left) {
      this.#leave(folder, (entry, identity) => remove(join(directory, entry), identity));
    }
  }

  #leave(folder: string, remove: (name: string, identity: PlaceholderIdentity) => void): boolean {
    const own = join(folder, `${holderPrefix}${this.#self}`);
    const mark = join(folder, closing);
    const made = createNew(mark, this.#self);
    if (made === "no folder") return true;
    if (made === "exists") {
      if (!isRunning(mark)) unlinkQuietly(mark); // of a process that was killed in between
      return false;
    }
    try {
      unlinkQuietly(own);
      const names = namesIn(folder);
      if (names.some(isLiveHolder)) return true;
      for (const file of names) {
        const record = readRecord(file);
        if (record !== undefined) remove(record.name, record.identity);
      }
      for (const file of names) if (file !== closing) unlinkQuietly(join(folder, file));
    } finally {
      unlinkQuietly(mark);
      errorless(() => rmdirSync(folder)); // someone may have entered
    }
    return true;
  }

  #of(directory: string): string {
    if (this.#last?.directory !== directory) {
      const name = createHash("sha1").update(directory).digest("hex");
      this.#last = { directory, folder: join(this.#folder, name) };
    }
    return this.#last.folder;
  }
}

const holderPrefix = "holder ";
const closing = "closing";
/** A folder may be removed right before a file is created in it, but not every time. */
const mostAttempts = 100;

/** Returns true if a file names a running holder; an empty file belongs to one that is about to write. */
function isRunning(file: string): boolean {
  if (!existsSync(file)) return false;
  const entry = errorless(() => statSync(file));
  if (entry === undefined) return false;
  const holder = readQuietly(file);
  return holder === "" ? Date.now() - entry.mtimeMs < unnamedAgeMs : isHolding(holder);
}

const unnamedAgeMs = 2_000;

function hasLiveHolder(folder: string): boolean {
  return namesIn(folder).some(isLiveHolder);
}

function isLiveHolder(name: string): boolean {
  return name.startsWith(holderPrefix) && isHolding(name.slice(holderPrefix.length));
}

/**
 * Returns true if the process of a holder is running. A process in another container cannot be
 * checked: it counts as running until its file is too old.
 */
function isHolding(holder: Holder): boolean {
  const [pid, start = "", namespace, since] = holder.split(" ");
  if (namespace !== pidNamespace()) return Date.now() - Number(since) < foreignAgeMs;
  return Number(pid) === process.pid || isProcessRunning(Number(pid), start);
}

const foreignAgeMs = 24 * 60 * 60 * 1000;

/** Pids are comparable only within one PID namespace. */
function pidNamespace(): string {
  ownNamespace ??= errorless(() => readlinkSync("/proc/self/ns/pid")) ?? "";
  return ownNamespace;
}

let ownNamespace: string | undefined;

function toRecord(name: string, { dev, ino, birthtimeMs = 0 }: PlaceholderIdentity): string {
  return `made-${dev}-${ino}-@${birthtimeMs}-${encodeURIComponent(name)}`;
}

function readRecord(file: string): { name: string; identity: PlaceholderIdentity } | undefined {
  const [, dev, ino, birth, name] = /^made-(\d+)-(\d+)-(?:@([\d.]+)-)?(.+)$/.exec(file) ?? [];
  if (name === undefined) return undefined;
  const birthtimeMs = birth === undefined ? {} : { birthtimeMs: Number(birth) };
  const identity = { dev: Number(dev), ino: Number(ino), ...birthtimeMs };
  return { name: decodeURIComponent(name), identity };
}
