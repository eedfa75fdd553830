import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type ConfigSources, codexHome } from "../../config/index.js";
import { CodexError } from "../../protocol/error.js";
import type { CommandIo } from "../command.js";
import { UsageError } from "../exit-codes.js";
import { counted } from "../print.js";
import { type ConfigValues, toOverrides } from "./config-options.js";

/** Options that choose the working directory. */
interface WorktreeValues extends ConfigValues {
  worktree: string | undefined;
  cd: string | undefined;
  remote?: string | undefined;
}

/**
 * Runs a session in a new worktree if `--worktree` asks for one; else it runs as it is.
 *
 * Afterwards the worktree is removed, unless it has changes or commits that are nowhere else.
 */
export async function inWorktree<Given extends WorktreeValues>(
  values: Given,
  io: CommandIo,
  run: (values: Given) => Promise<number>,
): Promise<number> {
  if (values.worktree === undefined) return run(values);
  if (values.remote !== undefined) {
    throw new UsageError("`--worktree` and `--remote` cannot be used together");
  }
  const cwd = resolve(io.cwd, values.cd ?? ".");
  const flags = await toOverrides(values);
  const worktree = await openWorktree(cwd, values.worktree, { env: io.env, flags }).catch(
    (error: Error) => {
      if (error instanceof CodexError) throw error;
      throw new UsageError(`--worktree: ${error.message}`);
    },
  );
  io.stderr.write(`Working in ${worktree.cwd} on branch ${worktree.branch}${worktree.note}\n`);
  try {
    return await run({ ...values, cd: worktree.cwd });
  } finally {
    const kept = await worktree.close();
    if (kept !== undefined) io.stderr.write(`${kept}\n`);
  }
}

/** A worktree that a session works in. */
interface OpenWorktree {
  cwd: string;
  branch: string;
  /** Number of copied files, as the end of a sentence. */
  note: string;
  /** Removes the worktree unless it has work; returns the reason why it stays. */
  close(): Promise<string | undefined>;
}

/**
 * Creates a worktree of the repository around a folder; its name is the time if `name` is empty.
 *
 * The settings say which files are not copied there, because rules deny them.
 */
export async function openWorktree(
  cwd: string,
  name: string,
  settings: Omit<ConfigSources, "cwd">,
): Promise<OpenWorktree> {
  const { env } = settings;
  const [{ createWorktree }, { copyIncluded, hasIncluded }, kept] = await Promise.all([
    import("../../project/worktree.js"),
    import("../../project/worktree-include.js"),
    import("../../project/kept-worktrees.js"),
  ]);
  await requireWorkTree(cwd);
  const place = { cwd, env, home: codexHome(env) };
  const { readWorktree, removeDeleted, removeKept, useWorktree, workOf } = kept;
  await removeDeleted(place);
  const denied = hasIncluded(place) ? await deniedFilesOf({ ...settings, cwd }) : undefined;
  const exact = name !== "";
  const created = await createWorktree(place, name || automaticName(), { exact }).catch(
    (error: Error) => {
      const isTaken = error.message.includes("exists already");
      const remedy = isTaken ? "; choose another name, or see `quire worktrees`" : "";
      throw new Error(`${error.message}${remedy}`);
    },
  );
  const copied =
    denied === undefined
      ? 0
      : await copyIncluded(place, created.path, (path) => denied.has(path)).finally(denied.close);
  const release = useWorktree(created);
  return {
    cwd: created.cwd,
    branch: created.branch,
    note: copied === 0 ? "" : `, with ${counted(copied, "file")} of .worktreeinclude`,
    async close() {
      release();
      const left = await readWorktree(created, { ...place, cwd: created.path });
      const work = workOf(left);
      if (work !== undefined) return `${created.path} stays: ${work}`;
      await removeKept(left, place);
      return undefined;
    },
  };
}

async function deniedFilesOf(sources: ConfigSources) {
  const { openDeniedFiles } = await import("../policy/user-sandbox.js");
  return openDeniedFiles(sources);
}

/** A name of the date and time, so that lists are in order. */
function automaticName(): string {
  return new Date().toISOString().slice(0, 19).replace("T", "-").replaceAll(":", "");
}

async function requireWorkTree(cwd: string): Promise<void> {
  const { findRepository } = await import("../../project/index.js");
  if (findRepository(cwd) !== undefined) return;
  const isBare = existsSync(join(cwd, "HEAD")) && existsSync(join(cwd, "objects"));
  throw new Error(
    isBare
      ? `${cwd} is a bare git repository; start in a checkout of it`
      : `${cwd} is not in a git repository; run \`git init\` and commit first`,
  );
}
