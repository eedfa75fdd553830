import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { randomUuid } from "../../../lib/ids.js";
import { isUuid } from "../../../rollout/index.js";
import { type Workspace, Workspaces } from "../workspace.js";
import { Mirror } from "./mirror.js";

/** Options of worktrees. */
export interface GitWorkspacesOptions {
  /** Folder of the worktrees; the machines need not share it. */
  root: string;
  /** Address or path of the repository that all workers reach. */
  repository: string;
  env: NodeJS.ProcessEnv;
}

/**
 * A worktree for each thread and owner, `ROOT/THREAD`, on the branch `quire/THREAD`.
 *
 * Everything that the log reports as done is first stored in the repository as `refs/quire-fleet/THREAD`, with files that
 * are not committed or tracked, but without ignored ones. The next owner starts from there.
 */
export class GitWorkspaces extends Workspaces {
  readonly #mirror: Mirror;

  constructor({ root, repository, env }: GitWorkspacesOptions) {
    super(root);
    this.#mirror = new Mirror({ repository, env, path: join(this.folder, "mirror.git") });
  }

  override async prepare(): Promise<void> {
    await this.#mirror.prepare();
    await this.#removeUnused();
  }

  /** Places a folder of the root, as clients name it, or of another worker's worktree in the one of the thread. */
  override place(threadId: string, cwd: string): string {
    const [, inTree] = `${cwd}/`.split(`/${threadId}/`);
    const below = inTree ?? relative(this.root, cwd);
    if (below.startsWith("..")) return super.place(threadId, cwd);
    return super.place(threadId, join(this.folderOf(threadId), below).replace(/\/$/, ""));
  }

  override folderOf(threadId: string): string {
    return join(this.root, threadId);
  }

  override async open(threadId: string, epoch: number): Promise<Workspace> {
    const lock = await super.open(threadId, epoch);
    const files = this.#filesOf(threadId);
    const snapshot = await this.#mirror.exclusive(() => this.#mirror.fetchSnapshot(threadId));
    const left = await readFile(files.left, "utf8").catch(() => undefined);
    await rm(files.left, { force: true });
    // A worker that left properly, and was the last one, has everything in place.
    if (left !== (snapshot ?? "none") || !existsSync(files.tree)) {
      await this.#mirror.exclusive(() => this.#create(threadId, snapshot));
    }
    const tree = new Worktree(this.#mirror, { threadId, epoch, files, snapshot });
    return {
      get isHeld() {
        return lock.isHeld;
      },
      save: () => tree.save(),
      async leave() {
        await tree.save();
        await writeFile(files.left, tree.snapshot ?? "none");
      },
      release: () => lock.release(),
    };
  }

  override async forget(threadId: string): Promise<void> {
    await super.forget(threadId);
    await this.#remove(threadId);
    await this.#mirror.run(["update-ref", "-d", `refs/heads/${branchOf(threadId)}`]);
    await this.#mirror.deleteSnapshot(threadId);
  }

  /** Creates the worktree of a new owner. One that is there is moved away: processes of its owner may still use it. */
  async #create(threadId: string, snapshot: string | undefined): Promise<void> {
    const { tree } = this.#filesOf(threadId);
    await this.#remove(threadId);
    if (snapshot === undefined) {
      await this.#mirror.fetch();
      const base = await this.#mirror.base();
      await this.#add(["-B", branchOf(threadId), tree, base]);
      return;
    }
    await this.#add(["--detach", tree, snapshot]);
    const inTree = { gitDir: await gitDirOf(tree), cwd: tree, env: { GIT_WORK_TREE: tree } };
    const branch = await this.#mirror.run(["log", "-1", "--format=%b", snapshot]);
    // The changes are those of the thread, not yet committed.
    await this.#mirror.run(["reset", "--quiet", "--mixed", `${snapshot}^`], inTree);
    if (branch === "") return;
    await this.#mirror.run(["update-ref", branch, `${snapshot}^`]);
    await this.#mirror.run(["symbolic-ref", "HEAD", branch], inTree);
  }

  #add(args: string[]): Promise<string> {
    return this.#mirror.run(["worktree", "add", "--quiet", "--force", ...args]);
  }

  async #remove(threadId: string): Promise<void> {
    const { tree, index, left } = this.#filesOf(threadId);
    const old = join(this.folder, "old", randomUuid());
    await mkdir(join(old, ".."), { recursive: true });
    await rename(tree, old).catch(() => {});
    await this.#mirror.run(["worktree", "prune"]);
    await Promise.all([old, index, left].map((path) => rm(path, { recursive: true, force: true })));
  }

  /** Removes what was not used for a while: the repository has it. */
  async #removeUnused(): Promise<void> {
    await rm(join(this.folder, "old"), { recursive: true, force: true });
    for (const name of (await readdir(this.root)).filter(isUuid)) {
      const { left } = this.#filesOf(name);
      const changedMs = (await stat(left).catch(() => undefined))?.mtimeMs;
      if (changedMs !== undefined && changedMs < Date.now() - unusedMs) await this.#remove(name);
    }
  }

  #filesOf(threadId: string): TreeFiles {
    const file = (kind: string) => join(this.folder, `${threadId}.${kind}`);
    return { tree: this.folderOf(threadId), index: file("index"), left: file("left") };
  }
}

const unusedMs = 7 * 24 * 3_600_000;

function branchOf(threadId: string): string {
  return `quire/${threadId}`;
}

interface TreeFiles {
  tree: string;
  /** Index of the snapshots; the thread has its own. */
  index: string;
  /** Snapshot of the worker that left the tree as it is. */
  left: string;
}

interface WorktreeOptions {
  threadId: string;
  epoch: number;
  files: TreeFiles;
  snapshot: string | undefined;
}

/** The worktree of a thread, and its last snapshot. */
class Worktree {
  snapshot: string | undefined;
  readonly #mirror: Mirror;
  readonly #options: WorktreeOptions;
  #state = "";
  #last: Promise<void> = Promise.resolve();

  constructor(mirror: Mirror, options: WorktreeOptions) {
    this.#mirror = mirror;
    this.#options = options;
    this.snapshot = options.snapshot;
  }

  /** Stores a snapshot if something has changed. */
  save(): Promise<void> {
    const saved = this.#last.then(() => this.#save());
    this.#last = saved.catch(() => {});
    return saved;
  }

  async #save(): Promise<void> {
    const { threadId, epoch, files } = this.#options;
    const { tree: cwd, index } = files;
    const env = { GIT_WORK_TREE: cwd, GIT_INDEX_FILE: index };
    const own = { gitDir: await gitDirOf(cwd), cwd };
    const head = await this.#mirror.run(["rev-parse", "--verify", "HEAD^{commit}"], own);
    const branch = await this.#mirror.run(["symbolic-ref", "HEAD"], own).catch(() => "");
    await this.#mirror.run(["add", "--all", "."], { cwd, env });
    const tree = await this.#mirror.run(["write-tree"], { cwd, env });
    const state = `${tree} ${head} ${branch}`;
    if (state === this.#state) return;
    const texts = ["-m", `thread ${threadId}, epoch ${epoch}`, ...(branch ? ["-m", branch] : [])];
    const commit = await this.#mirror.run(["commit-tree", tree, "-p", head, ...texts]);
    await this.#mirror.pushSnapshot(threadId, commit, this.snapshot ?? "");
    this.snapshot = commit;
    this.#state = state;
  }
}

/** Reads where git has the state of a worktree. */
async function gitDirOf(tree: string): Promise<string> {
  const link = await readFile(join(tree, ".git"), "utf8");
  return link.replace(/^gitdir: /, "").trim();
}
