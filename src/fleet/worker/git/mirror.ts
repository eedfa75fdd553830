import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { randomUuid } from "../../../lib/ids.js";
import { CodexError } from "../../../protocol/error.js";
import { FencedError, UnreachableError } from "../../broker.js";

/** Options of a mirror. */
export interface MirrorOptions {
  /** Address or path of the repository that all workers reach. */
  repository: string;
  /** Folder of the bare repository. */
  path: string;
  env: NodeJS.ProcessEnv;
}

/** Options for one run of git. */
interface RunOptions {
  /** Folder of the state of git; that of the mirror by default. */
  gitDir?: string;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}

/** A bare copy of a repository, from which the worktrees of threads are made. */
export class Mirror {
  readonly path: string;
  readonly #options: MirrorOptions;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: MirrorOptions) {
    this.#options = options;
    this.path = options.path;
  }

  /** Creates it if it is missing, and fetches; throws if the repository cannot be used. */
  async prepare(): Promise<void> {
    if (existsSync(this.path)) await this.#checkOrigin();
    else await this.#create();
    await this.fetch();
    const base = await this.base();
    try {
      await this.run(["push", "--quiet", "--dry-run", "origin", `${base}:${snapshotRef("check")}`]);
    } catch (error) {
      const name = withoutPassword(this.#options.repository);
      const reason = (error as Error).message;
      throw new CodexError("config", `The repository ${name} cannot be written: ${reason}`);
    }
  }

  /** Runs some work while no other one of this process changes refs or worktrees; tries three times. */
  exclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(async () => {
      // Another worker of this machine may hold a lock of git.
      for (let attempt = 1; attempt < 3; attempt++) {
        try {
          return await work();
        } catch {
          await new Promise((resolve) => setTimeout(resolve, 100 * attempt));
        }
      }
      return work();
    });
    this.#last = result.catch(() => {});
    return result;
  }

  /** Fetches the branches of the repository. */
  async fetch(): Promise<void> {
    const { repository } = this.#options;
    try {
      await this.run(["fetch", "--quiet", "--prune", "--no-auto-gc", "origin", branches]);
    } catch (error) {
      throw new CodexError(
        "config",
        `The repository ${withoutPassword(repository)} cannot be read: ${(error as Error).message}`,
      );
    }
  }

  /** Returns the last commit of the default branch. */
  async base(): Promise<string> {
    const listed = await this.run(["ls-remote", "origin", "HEAD"]);
    const [commit] = listed.split(/\s/);
    if (commit) return commit;
    const name = withoutPassword(this.#options.repository);
    throw new CodexError("config", `The repository ${name} has no commit to start from`);
  }

  /** Fetches the snapshot of a thread; undefined if there is none. */
  async fetchSnapshot(threadId: string): Promise<string | undefined> {
    const ref = snapshotRef(threadId);
    const [commit] = (await this.run(["ls-remote", "origin", ref])).split(/\s/);
    if (!commit) return undefined;
    await this.run(["fetch", "--quiet", "--no-auto-gc", "origin", `+${ref}:${ref}`]);
    return commit;
  }

  /** Stores a snapshot; throws `FencedError` if another worker has stored one after `expected`. */
  async pushSnapshot(threadId: string, commit: string, expected: string): Promise<void> {
    const ref = snapshotRef(threadId);
    const args = ["push", "--quiet", "--no-verify", `--force-with-lease=${ref}:${expected}`];
    try {
      await this.run([...args, "origin", `${commit}:${ref}`]);
    } catch (error) {
      const { message } = error as Error;
      if (!/stale info|fetch first|cannot lock ref/.test(message))
        throw new UnreachableError(message);
      throw new FencedError(`Another worker has stored a snapshot of thread ${threadId}`);
    }
  }

  /** Deletes the snapshot of a thread, here and in the repository. */
  async deleteSnapshot(threadId: string): Promise<void> {
    const ref = snapshotRef(threadId);
    await this.run(["update-ref", "-d", ref]);
    if ((await this.run(["ls-remote", "origin", ref])) === "") return;
    await this.run(["push", "--quiet", "--no-verify", "origin", `:${ref}`]);
  }

  /**
   * Runs git and returns its output; throws with its messages if it fails.
   *
   * No hook and no file system monitor runs, whatever the settings of the repository say.
   */
  run(args: readonly string[], { gitDir = this.path, cwd, env }: RunOptions = {}): Promise<string> {
    const safe = [
      "-c",
      "core.hooksPath=/dev/null",
      "-c",
      "core.fsmonitor=false",
      "-c",
      "gc.auto=0",
    ];
    const child = spawn("git", ["--git-dir", gitDir, ...safe, ...args], {
      cwd: cwd ?? this.path,
      env: { ...this.#options.env, ...identity, LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    return new Promise((resolve, reject) => {
      const output: Buffer[] = [];
      const errors: Buffer[] = [];
      child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
      child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
      child.on("error", reject);
      child.on("close", (code) => {
        if (code === 0) return resolve(Buffer.concat(output).toString().trim());
        const text = Buffer.concat(errors).toString().trim();
        reject(new Error(`git ${args[0]} failed: ${withoutPassword(text)}`));
      });
    });
  }

  /** Throws if it is a copy of another repository, from which the worktrees beside it were made. */
  async #checkOrigin(): Promise<void> {
    const { repository } = this.#options;
    const origin = await this.run(["config", "remote.origin.url"]);
    if (origin === repository) return;
    // Nothing was ever read from an address that was wrong.
    if ((await this.run(["for-each-ref", "--count=1"])) === "") {
      await this.run(["remote", "set-url", "origin", repository]);
      return;
    }
    const [old, given] = [origin, repository].map(withoutPassword);
    const remedy = `git --git-dir ${this.path} remote set-url origin ${given}`;
    throw new CodexError(
      "config",
      `The workspace root has worktrees of ${old}, not of ${given}: use another one, or if both are the same repository: ${remedy}`,
    );
  }

  /** Another worker of this machine may do the same; the first one wins. */
  async #create(): Promise<void> {
    const draft = `${this.path}.${randomUuid()}`;
    await mkdir(join(draft, ".."), { recursive: true });
    const inDraft = { gitDir: draft, cwd: join(draft, "..") };
    await this.run(["init", "--quiet", "--bare", draft], inDraft);
    await this.run(["remote", "add", "origin", this.#options.repository], inDraft);
    await rename(draft, this.path).catch(() => rm(draft, { recursive: true, force: true }));
  }
}

const branches = "+refs/heads/*:refs/remotes/origin/*";

function snapshotRef(threadId: string): string {
  return `refs/quire-fleet/${threadId}`;
}

const identity = {
  GIT_AUTHOR_NAME: "quire",
  GIT_AUTHOR_EMAIL: "quire@localhost",
  GIT_COMMITTER_NAME: "quire",
  GIT_COMMITTER_EMAIL: "quire@localhost",
};

/** Removes credentials from addresses in a text. */
function withoutPassword(text: string): string {
  return text.replaceAll(/(\w+:\/\/)[^\s/@]+@/g, "$1");
}
