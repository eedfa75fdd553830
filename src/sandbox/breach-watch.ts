import { type FSWatcher, watch } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { identityOf, missing } from "./paths.js";

/**
 * Watches the protected paths of a command while it runs.
 *
 * The kernel detaches a mount if the host removes its mount point or renames a file over it: from
 * then on the command could write the replacement. A mount cannot be secured against that, so the
 * command must be killed. Watchers are not worth their cost for a short command: its paths are
 * compared when they start.
 */
export class BreachWatch {
  readonly #identities: ReadonlyMap<string, string>;
  readonly #watchers: FSWatcher[] = [];
  #start: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #onBreach: ((path: string) => void) | undefined;

  /**
   * Records the identity of existing paths; missing ones are not watched. Paths in `absent` must
   * not be created: the command could read them.
   */
  constructor(paths: readonly string[], absent: readonly string[] = []) {
    const there = paths.map((path) => [path, identityOf(path)] as const);
    this.#identities = new Map([
      ...there.filter(([, identity]) => identity !== missing),
      ...absent.map((path) => [path, missing] as const),
    ]);
  }

  /** Calls `onBreach` once, with the first path that was replaced. */
  start(onBreach: (path: string) => void): void {
    this.#onBreach = onBreach;
    if (this.#identities.size === 0) return;
    this.#start = setTimeout(() => this.#watch(), unwatchedMs).unref();
  }

  stop(): void {
    this.#onBreach = undefined;
    clearTimeout(this.#start);
    clearInterval(this.#poll);
    for (const watcher of this.#watchers.splice(0)) watcher.close();
  }

  #watch(): void {
    // Events from before are reported too if the directory has another watcher.
    let isFresh = true;
    void eventsSeen().then(() => {
      isFresh = false;
    });
    const paths = [...this.#identities.keys()];
    try {
      for (const directory of new Set(paths.map((path) => dirname(path)))) {
        const watcher = watch(directory, { persistent: false }, (event, name) => {
          const path = name === null ? undefined : join(directory, name);
          if (path === undefined) this.#check();
          // The command itself cannot do that to a mount, and the inode number may be reused.
          else if (this.#identities.has(path))
            event === "rename" && !isFresh ? this.#report(path) : this.#check();
        });
        watcher.on("error", () => this.#check());
        this.#watchers.push(watcher);
      }
    } catch {
      // The system is out of watches.
      this.#poll = setInterval(() => this.#check(), pollMs).unref();
    }
    this.#check();
  }

  #check(): void {
    const found = [...this.#identities].find(([path, identity]) => identityOf(path) !== identity);
    if (found !== undefined) this.#report(found[0]);
  }

  #report(path: string): void {
    this.#onBreach?.(path);
    this.stop();
  }
}

/** Watchers are not started before this. */
const unwatchedMs = 50;
const pollMs = 100;

/**
 * Waits until all events are handled that the system has queued up to now: they are read in the next
 * round of the event loop.
 */
export async function eventsSeen(): Promise<void> {
  await nextTurn();
  await nextTurn();
}
