import { join } from "node:path";
import {
  addToStore,
  BlobStore,
  type DeniedPaths,
  type Manifest,
  putManifest,
  TurnFiles,
  Workspace,
} from "../../checkpoint/index.js";
import { errorText } from "../../lib/errors.js";
import { isPossibleRoot } from "../../sandbox/index.js";
import type { RunningTask } from "../current-task.js";
import { PermissionGrants } from "../permissions.js";
import type { Session } from "../session.js";

export type { TurnFiles } from "../../checkpoint/index.js";

/** Stores the files that the turns of a session change, and logs a manifest for each of these turns. */
export class SessionFiles {
  readonly store: BlobStore;
  /** Folder `checkpoints` of the home. */
  readonly folder: string;
  readonly #session: Session;
  readonly #workspaces = new Map<string, Workspace>();
  /** Files of the turns that are not logged yet. */
  readonly #turns = new Map<RunningTask, StartedTurn>();
  /** Bytes in the store that the quota knows of. */
  #counted = 0;

  constructor(session: Session) {
    this.#session = session;
    this.folder = join(session.config.home, "checkpoints");
    this.store = new BlobStore(this.folder);
  }

  /** Returns the files of a turn; waits for those of the turn before. */
  of(task: RunningTask): Promise<TurnFiles> {
    let turn = this.#turns.get(task);
    if (turn === undefined) {
      const opened = this.#open(task, [...this.#turns.keys()]);
      turn = { opened, openedAtMs: Date.now() };
      this.#turns.set(task, turn);
    }
    return turn.opened;
  }

  async #open(task: RunningTask, before: readonly RunningTask[]): Promise<TurnFiles> {
    for (const { settled } of before) await settled;
    const files = new TurnFiles(this.store, await this.#openWorkspaces());
    const turn = this.#turns.get(task);
    if (turn !== undefined) turn.files = files;
    return files;
  }

  /** Starts to store files if a command is about to follow, as in an earlier turn of the session. */
  expectCommand(task: RunningTask): void {
    const isUsual = [...this.#workspaces.values()].some(({ isWalked }) => isWalked);
    if (!isUsual || this.#session.context.sandbox_policy.mode === "read-only") return;
    void this.of(task)
      .then((files) => files.expectCommand())
      .catch(() => {}); // the command itself reports it
  }

  /** A call of the turn has ended. */
  afterCall(task: RunningTask): void {
    if (this.#isQuiet(task)) this.#turns.get(task)?.files?.afterCommand();
  }

  /** True if nothing that the turn has started can still change files before the turn ends. */
  #isQuiet(task: RunningTask): boolean {
    const { hooks, agents, parts } = this.#session;
    const isAlone = hooks === undefined && agents === undefined;
    return isAlone && !task.isCalling && parts.tools.background?.isRunning !== true;
  }

  /** Logs the files that a turn has changed, once; resolves when that is done. */
  async finish(task: RunningTask): Promise<void> {
    const turn = this.#turns.get(task);
    if (turn === undefined) return;
    turn.finished ??= this.#finish(task, turn).finally(() => this.#turns.delete(task));
    await turn.finished;
  }

  async #finish(task: RunningTask, { opened, openedAtMs }: StartedTurn): Promise<void> {
    try {
      const files = await opened;
      const manifest = await files.finish();
      if (manifest !== undefined) this.#log(task, manifest);
      await this.countAdded(openedAtMs);
    } catch (error) {
      this.#session.warn(`The files of this turn cannot be restored later: ${errorText(error)}`);
    }
  }

  #log({ id, turnId }: RunningTask, manifest: Manifest): void {
    const { changes, unsaved, limits } = manifest;
    const [first] = unsaved;
    if (first !== undefined && !this.#session.config.checkpoints.isQuiet) {
      const count = unsaved.length === 1 ? "" : ` and ${unsaved.length - 1} more`;
      this.#session.warn(`A rewind cannot restore ${first.path}${count}: ${first.reason}`);
    }
    if (limits.includes("files") && !this.#session.config.checkpoints.isQuiet) {
      this.#session.warn(tooManyFiles);
    }
    this.#session.emit(id, {
      type: "turn_checkpoint",
      turn_id: turnId,
      manifest: putManifest(this.store, manifest),
      files: changes.filter(({ before, after }) => (before ?? after)?.kind !== "folder").length,
      unsaved: unsaved.length,
    });
  }

  /** Counts what was added to the store, and keeps its quota; what was used since a time stays. */
  async countAdded(usedSinceMs: number): Promise<void> {
    const added = this.store.added - this.#counted;
    if (added === 0) return;
    this.#counted = this.store.added;
    const { maxBytes } = this.#session.config.checkpoints;
    await addToStore(this.folder, added, maxBytes, usedSinceMs);
  }

  /** Returns the paths that rules deny. */
  async deniedPaths(): Promise<DeniedPaths | undefined> {
    const { parts, context } = this.#session;
    const policy = PermissionGrants.over(context);
    const guard = await parts.readGuard?.(policy, context.cwd);
    if (guard === undefined) return undefined;
    const key = JSON.stringify([policy, context.cwd]);
    return { key, isDenied: (path) => guard.isDenied(path) };
  }

  async #openWorkspaces(): Promise<Workspace[]> {
    const { config, context, parts } = this.#session;
    const { sandbox_policy: policy, cwd } = context;
    const others = policy.mode === "workspace-write" ? (policy.writable_roots ?? []) : [];
    const denied = await this.deniedPaths();
    const { maxFileBytes, maxFolderFiles } = config.checkpoints;
    // A profile that opens the whole file system lists its root.
    const roots = [cwd, ...others].filter(isPossibleRoot).filter(isOutermost);
    return roots.map((root) => {
      const known = this.#workspaces.get(root);
      if (known !== undefined) {
        known.deny(denied);
        return known;
      }
      const workspace = new Workspace(root, {
        storeFolder: this.folder,
        store: this.store,
        home: config.home,
        env: parts.env ?? {},
        maxFileBytes,
        maxFolderFiles,
      });
      workspace.deny(denied);
      this.#workspaces.set(root, workspace);
      return workspace;
    });
  }

  /** Logs the files of all turns, then frees what the workspaces hold. */
  async close(): Promise<void> {
    await this.settled();
    for (const workspace of this.#workspaces.values()) workspace.close();
  }

  /** Waits until the files of all turns are logged. */
  async settled(): Promise<void> {
    for (const task of [...this.#turns.keys()]) {
      await task.settled;
      await this.finish(task);
    }
  }
}

/** A turn whose files are not logged yet. */
interface StartedTurn {
  opened: Promise<TurnFiles>;
  /** What was stored since then is of this turn, or of a later one. */
  openedAtMs: number;
  files?: TurnFiles;
  finished?: Promise<void>;
}

const tooManyFiles =
  "This folder has too many files to look for changes made by commands; a rewind restores only files changed by patches";

/** Drops folders that another one contains. */
function isOutermost(root: string, index: number, all: readonly string[]): boolean {
  return !all.some((other, at) => {
    if (other === root) return at < index;
    return root.startsWith(other === "/" ? other : `${other}/`);
  });
}
