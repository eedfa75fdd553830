import { existsSync, readFileSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { nameSelf, stateOfHolder } from "../lib/lock-holder.js";
import { replaceFile } from "../lib/replace-file.js";
import { BlobStore } from "./blob-store.js";
import { applySteps, revertSteps } from "./restore.js";
import type { RestoreStep } from "./restore-plan.js";
import { isPath, isRecord, isState } from "./stored.js";

/** A restore in progress, so that a killed one can be taken back. */
interface Journal {
  id: string;
  /** File whose text has the id once the restore counts. */
  log: string | undefined;
  /** The process at work. */
  holder: string;
  steps: RestoreStep[];
}

/** Options for {@link restoreFiles}. */
interface RestoreOptions {
  storeFolder: string;
  store: BlobStore;
  id: string;
  log: string | undefined;
  steps: readonly RestoreStep[];
  /** Appends the id to the log; the restore counts from then on. */
  commit(): void | Promise<void>;
}

/**
 * Makes all steps and commits them.
 *
 * If the process is killed before the commit, `recoverRestores` returns to the state before.
 */
export async function restoreFiles(options: RestoreOptions): Promise<void> {
  const { storeFolder, store, id, log, steps, commit } = options;
  const folder = journalFolder(storeFolder);
  const file = join(folder, `${id}.json`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const journal: Journal = { id, log, holder: nameSelf(), steps: [...steps] };
  await replaceFile(file, JSON.stringify(journal), { mode: 0o600 });
  try {
    await applySteps(steps, { store, id });
    await commit();
  } finally {
    await rm(file, { force: true });
  }
}

/** Takes back restores whose processes were killed; returns how many. */
export async function recoverRestores(storeFolder: string): Promise<number> {
  const folder = journalFolder(storeFolder);
  if (!existsSync(folder)) return 0;
  const store = new BlobStore(storeFolder);
  let recovered = 0;
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".json")) continue;
    const file = join(folder, name);
    const journal = readJournal(file);
    if (journal !== undefined) {
      if (["running", "elsewhere"].includes(stateOfHolder(journal.holder))) continue;
      if (!isCommitted(journal)) {
        await revertSteps(journal.steps, { store, id: journal.id });
        recovered++;
      }
    }
    await rm(file, { force: true });
  }
  return recovered;
}

function journalFolder(storeFolder: string): string {
  return join(storeFolder, "journals");
}

function readJournal(file: string): Journal | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isJournal(value) ? value : undefined;
  } catch {
    return undefined; // recovered by another process, or never complete
  }
}

/** The id becomes part of file names, and the steps are made; a damaged journal must do neither. */
function isJournal(value: unknown): value is Journal {
  if (!isRecord(value) || typeof value.holder !== "string") return false;
  const { id, log, steps } = value;
  const isNamed = typeof id === "string" && /^[\w-]{1,100}$/.test(id);
  const hasLog = log === undefined || typeof log === "string";
  return isNamed && hasLog && Array.isArray(steps) && steps.every(isStep);
}

function isStep(value: unknown): boolean {
  return isRecord(value) && isPath(value.path) && isState(value.from) && isState(value.to);
}

function isCommitted({ log, id }: Journal): boolean {
  try {
    return log !== undefined && readFileSync(log).includes(id);
  } catch {
    return false;
  }
}
