import { type FSWatcher, watch } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { CodexError } from "../../protocol/error.js";

/** Watches of one client. */
export class Watches {
  readonly #watches = new Map<string, Watch | undefined>();

  /** Watches a file, or a folder and its direct entries; returns the real path. */
  async start(
    id: string,
    path: string,
    onChange: (changedPaths: string[]) => void,
  ): Promise<string> {
    if (this.#watches.has(id)) {
      throw new CodexError("invalid_request", `watchId already exists: ${id}`);
    }
    if (this.#watches.size >= maxWatches) {
      const message = `There are ${maxWatches} watches already: end one of them first`;
      throw new CodexError("invalid_request", message);
    }
    this.#watches.set(id, undefined);
    try {
      const watched = await openWatch(path, onChange);
      if (this.#watches.has(id)) this.#watches.set(id, watched);
      else watched.close();
      return watched.path;
    } catch (error) {
      this.#watches.delete(id);
      throw error;
    }
  }

  /** Ends a watch; does nothing if there is none. */
  stop(id: string): void {
    this.#watches.get(id)?.close();
    this.#watches.delete(id);
  }

  close(): void {
    for (const id of [...this.#watches.keys()]) this.stop(id);
  }
}

const maxWatches = 64;

interface Watch {
  path: string;
  close(): void;
}

async function openWatch(path: string, onChange: (changedPaths: string[]) => void): Promise<Watch> {
  const changes = new Changes(onChange);
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined && (await stat(real)).isDirectory()) {
    const watcher = watch(real, (_, name) => changes.add(name === null ? real : join(real, name)));
    return toWatch(real, watcher, changes);
  }
  // Editors replace files: only a watch on the folder reports that.
  const folder = await realpath(dirname(real ?? path));
  const own = basename(real ?? path);
  const file = join(folder, own);
  const watcher = watch(folder, (_, name) => {
    if (name === null || name === own) changes.add(file);
  });
  return toWatch(file, watcher, changes);
}

function toWatch(path: string, watcher: FSWatcher, changes: Changes): Watch {
  const close = () => {
    changes.close();
    watcher.close();
  };
  watcher.on("error", close); // the folder was removed
  return { path, close };
}

/** Collects changed paths, so that a burst is reported once. */
class Changes {
  readonly #onChange: (changedPaths: string[]) => void;
  readonly #paths = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(onChange: (changedPaths: string[]) => void) {
    this.#onChange = onChange;
  }

  add(path: string): void {
    if (this.#paths.size < maxPaths) this.#paths.add(path);
    this.#timer ??= setTimeout(() => this.#flush(), pauseMs).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#paths.clear();
  }

  #flush(): void {
    this.#timer = undefined;
    const paths = [...this.#paths].sort();
    this.#paths.clear();
    this.#onChange(paths);
  }
}

const pauseMs = 200;
/** Limit of reported paths; beyond it a client reads the whole folder anyway. */
const maxPaths = 1_000;
