import { dirname } from "node:path";
import type { BlobStore } from "./blob-store.js";
import { type FileState, isSameState, readState, type StateResult } from "./file-state.js";
import type { FileEntry, FolderEntry } from "./folder-walk.js";
import type { CheckpointLimit, FileChange, Manifest, UnsavedChange } from "./manifest.js";
import {
  type Difference,
  differences,
  entryAt,
  type WalkSignals,
  type Workspace,
} from "./workspace.js";

/** A workspace as it was before the first command of the turn. */
interface WalkedWorkspace {
  workspace: Workspace;
  before: FolderEntry | undefined;
}

/** A walk that something may have to wait for. */
interface StartedWalk<Result> {
  result: Promise<Result>;
  stop: AbortController;
  hurry: AbortController;
}

function startWalk<Result>(walk: (signals: WalkSignals) => Promise<Result>): StartedWalk<Result> {
  const [stop, hurry] = [new AbortController(), new AbortController()];
  return { result: walk({ signal: stop.signal, hurry: hurry.signal }), stop, hurry };
}

/**
 * Collects the files that one turn changes: those of its patches, and those that its commands change
 * in the workspaces.
 */
export class TurnFiles {
  readonly #store: BlobStore;
  readonly #roots: readonly string[];
  readonly #workspaces: readonly Workspace[];
  /** State of patched files before their first patch. */
  readonly #patched = new Map<string, StateResult & { isAfterWalk: boolean }>();
  /** The walk before the first command. It starts as soon as one is expected. */
  #walk: StartedWalk<WalkedWorkspace[]> | undefined;
  #isWalked = false;
  /** A walk that started after a command, in case that it was the last one. */
  #early: StartedWalk<(FolderEntry | undefined)[]> | undefined;
  #hasCommand = false;
  /** True once a command has run that may have changed files. */
  #hasRun = false;

  constructor(store: BlobStore, workspaces: readonly Workspace[]) {
    this.#store = store;
    this.#workspaces = workspaces;
    this.#roots = workspaces.map(({ root }) => root);
  }

  /** Stores files that a patch is about to write or remove. Those outside of the roots are only listed. */
  async beforePatch(paths: readonly string[]): Promise<void> {
    await this.#dropEarlyWalk();
    for (const path of paths) {
      if (!isInside(path, this.#roots)) {
        this.#patched.set(path, { unsaved: "outside", isAfterWalk: this.#isWalked });
        continue;
      }
      for (const at of [...missingFoldersOf(path, this.#roots), path]) {
        if (this.#patched.has(at)) continue;
        const state = await readState(at, this.#store);
        // Folders that exist stay as they are.
        if (at !== path && !("unsaved" in state) && state.state !== undefined) continue;
        this.#patched.set(at, { ...state, isAfterWalk: this.#isWalked });
      }
    }
  }

  /** Stores what commands of the turn may change; only the first call walks the workspaces. */
  async beforeCommand(): Promise<void> {
    this.#hasCommand = true;
    this.#hasRun = true;
    await this.#dropEarlyWalk();
    this.#walk ??= startWalk((signals) => this.#walkAll(signals));
    this.#walk.hurry.abort();
    await this.#walk.result.catch(() => {}); // `finish` throws it: the command can run all the same
  }

  /** Starts to store what commands may change, while the model still writes the first one. */
  async expectCommand(): Promise<void> {
    this.#walk ??= startWalk((signals) => this.#walkAll(signals));
    await this.#walk.result;
  }

  /** Starts to look for changes after a command, while the model reads its output. */
  afterCommand(): void {
    if (!this.#hasCommand || !this.#isWalked || this.#early !== undefined) return;
    this.#hasCommand = false;
    this.#early = startWalk((signals) => this.#walkAgain(signals));
    this.#early.result.catch(() => {}); // awaited by `finish`
  }

  async #dropEarlyWalk(): Promise<void> {
    const early = this.#early;
    this.#early = undefined;
    early?.stop.abort();
    await early?.result.catch(() => {});
  }

  async #walkAgain(signals: WalkSignals): Promise<(FolderEntry | undefined)[]> {
    const after: (FolderEntry | undefined)[] = [];
    for (const { workspace } of (await this.#walk?.result) ?? [])
      after.push(await workspace.walk(signals));
    return after;
  }

  async #walkAll(signals: WalkSignals): Promise<WalkedWorkspace[]> {
    const walked: WalkedWorkspace[] = [];
    for (const workspace of this.#workspaces) {
      walked.push({ workspace, before: await workspace.walk(signals) });
    }
    this.#isWalked = true;
    return walked;
  }

  /** Finds the changes of the turn; undefined if there are none. */
  async finish(): Promise<Manifest | undefined> {
    const walks = await this.#walksOfCommands();
    if (walks.length === 0 && this.#patched.size === 0) return undefined;
    const collected = new Changes(this.#store);
    const seen = new Set<string>();
    const again = walks.length === 0 ? [] : await this.#lastWalk();
    for (const [index, { workspace, before }] of walks.entries()) {
      const after = again[index];
      if (before === undefined || after === undefined) continue;
      const differing = [...differences(workspace.root, before, after)].filter(({ path }) => {
        const patched = this.#patched.get(path);
        const isOurs = !seen.has(path) && (patched === undefined || patched.isAfterWalk);
        if (isOurs) seen.add(path);
        return isOurs;
      });
      await collected.addDifferences(workspace, differing);
      for (const path of this.#patched.keys()) {
        if (this.#isKnown(path, workspace, before)) seen.add(path);
      }
      await workspace.save();
    }
    for (const [path, before] of this.#patched) {
      if (!seen.has(path)) collected.add(path, before, await readState(path, this.#store));
    }
    const limits = new Set(walks.flatMap(({ workspace }) => [...workspace.limits]));
    return collected.toManifest(this.#roots, limits);
  }

  /** Returns the walk after the last command. The turn waits for it, so it has to hurry. */
  #lastWalk(): Promise<(FolderEntry | undefined)[]> {
    const last = this.#early ?? startWalk((signals) => this.#walkAgain(signals));
    last.hurry.abort();
    return last.result;
  }

  /** Returns the walks before the commands; none if a command was expected and did not run. */
  async #walksOfCommands(): Promise<WalkedWorkspace[]> {
    const walk = this.#walk;
    if (walk === undefined) return [];
    if (this.#hasRun) return walk.result;
    this.#walk = undefined;
    this.#isWalked = false;
    walk.stop.abort();
    await walk.result.catch(() => {}); // the workspaces are used again
    return [];
  }

  /** The walks show how a file changed that was patched between them, unless it is ignored. */
  #isKnown(path: string, { root }: Workspace, before: FolderEntry): boolean {
    if (!this.#patched.get(path)?.isAfterWalk || !isInside(path, [root])) return false;
    return entryAt(root, before, path)?.kind !== "left-out";
  }
}

/** Changes with both states, as they are found. */
class Changes {
  readonly #store: BlobStore;
  readonly #changes: FileChange[] = [];
  readonly #unsaved: UnsavedChange[] = [];

  constructor(store: BlobStore) {
    this.#store = store;
  }

  add(path: string, before: StateResult, after: StateResult): void {
    if ("unsaved" in before) this.#unsaved.push({ path, reason: before.unsaved });
    else if ("unsaved" in after) this.#unsaved.push({ path, reason: after.unsaved });
    else if (!isSameState(before.state, after.state)) {
      this.#changes.push({ path, before: before.state, after: after.state });
    }
  }

  async addDifferences(workspace: Workspace, differing: readonly Difference[]): Promise<void> {
    const files = differing
      .flatMap(({ before, after }) => [before, after])
      .filter((entry): entry is FileEntry => entry?.kind === "file");
    const states = await workspace.statesOf(files);
    for (const { path, before, after } of differing) {
      const now =
        after?.kind === "left-out"
          ? await readState(path, this.#store)
          : this.#resultOf(after, states);
      this.add(path, this.#resultOf(before, states), now);
    }
  }

  #resultOf(
    entry: FileEntry | FolderEntry | undefined,
    states: ReadonlyMap<FileEntry, FileState>,
  ): StateResult {
    if (entry === undefined) return { state: undefined };
    if (entry.kind === "folder") return { state: { kind: "folder", mode: entry.mode } };
    const state = states.get(entry);
    const isStored = state?.kind !== "file" || this.#store.touch(state.hash);
    if (state !== undefined && isStored) return { state };
    return { unsaved: entry.unsaved ?? "not-stored" };
  }

  toManifest(roots: readonly string[], limits: ReadonlySet<CheckpointLimit>): Manifest | undefined {
    if (this.#changes.length === 0 && this.#unsaved.length === 0 && limits.size === 0) {
      return undefined;
    }
    return {
      version: 1,
      roots: [...roots],
      changes: this.#changes,
      unsaved: this.#unsaved,
      limits: [...limits],
    };
  }
}

/** Returns true if a path is a folder of `roots` or below one. */
export function isInside(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => path === root || path.startsWith(root === "/" ? root : `${root}/`));
}

/** Returns the folders between the roots and a path, topmost first. */
function missingFoldersOf(path: string, roots: readonly string[]): string[] {
  const folders: string[] = [];
  for (let at = dirname(path); isInside(at, roots) && !roots.includes(at); at = dirname(at)) {
    folders.unshift(at);
  }
  return folders;
}
