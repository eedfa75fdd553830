import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
  BlobStore,
  planRestore,
  recoverRestores,
  TurnFiles,
  Workspace,
} from "../../src/checkpoint/index.js";
import { bundleProgram } from "../support/bundle-program.js";
import { treeOf } from "./history-edits.js";

/** Numbers of kills that left the old and the new state, and kills that left anything else. */
export interface KillReport {
  old: number;
  new: number;
  /** Kills that came when some files were restored and others not. */
  midway: number;
  between: string[];
}

/**
 * Kills a restore again and again; each time the files are as before or as wanted.
 *
 * The moments are spread over the whole restore, and go beyond its end.
 */
export async function killRestores(kills: number, random: () => number): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), "quire-rewind-kill-"));
  try {
    const program = await bundleProgram(resolve("test/checkpoint/restore-program.ts"), folder);
    return await killEach({ folder, program, kills, random });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Kills {
  folder: string;
  program: string;
  kills: number;
  random(): number;
}

/** Beyond 1 the restore has ended before the kill. */
const lastMoment = 1.3;

async function killEach({ folder, program, kills, random }: Kills): Promise<KillReport> {
  const report: KillReport = { old: 0, new: 0, midway: 0, between: [] };
  const whole = await changeMuch(folder);
  let restoreMs = (await restore(program, whole, "whole")).ranMs;
  for (let kill = 0; kill < kills; kill++) {
    const change = await changeMuch(folder);
    const delayMs = ((kill + random()) / kills) * lastMoment * restoreMs;
    const { isDone, ranMs } = await restore(program, change, `kill-${kill}`, delayMs);
    // The machine may be busier than it was before, or less.
    restoreMs = isDone ? ranMs : Math.max(restoreMs, ranMs);
    const { root, storeFolder, before, after } = change;
    const killed = treeOf(root);
    if (!isDeepStrictEqual(killed, before) && !isDeepStrictEqual(killed, after)) report.midway++;
    await recoverRestores(storeFolder);
    const tree = treeOf(root);
    if (isDeepStrictEqual(tree, before)) report.new++;
    else if (isDeepStrictEqual(tree, after)) report.old++;
    else report.between.push(`kill ${kill}: the files are between both states`);
  }
  return report;
}

/** Runs the program that restores; kills it after a delay if there is one. */
async function restore(
  program: string,
  { folder, storeFolder, steps }: Change,
  id: string,
  delayMs?: number,
): Promise<{ isDone: boolean; ranMs: number }> {
  const [file, log] = [join(folder, "steps.json"), join(folder, "log")];
  writeFileSync(file, JSON.stringify({ id, steps }));
  writeFileSync(log, "");
  const child = spawn(process.execPath, [program, storeFolder, file, log]);
  await once(child.stdout, "data");
  const begun = performance.now();
  let ranMs: number | undefined;
  child.stdout.once("data", () => {
    ranMs = performance.now() - begun;
  });
  const timer =
    delayMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), delayMs);
  await once(child, "close");
  clearTimeout(timer);
  return { isDone: ranMs !== undefined, ranMs: ranMs ?? performance.now() - begun };
}

/** A turn that changed files: the steps back, and the trees before and after it. */
type Change = Awaited<ReturnType<typeof changeMuch>>;

async function changeMuch(folder: string) {
  const [root, storeFolder] = [join(folder, "work"), join(folder, "checkpoints")];
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root);
  for (let index = 0; index < 60; index++) {
    mkdirSync(join(root, `d${index % 7}`), { recursive: true });
    writeFileSync(join(root, `d${index % 7}`, `f${index}`), `old ${index}\n`.repeat(index));
  }
  const before = treeOf(root);
  const store = new BlobStore(storeFolder);
  const options = { storeFolder, store, home: storeFolder, env: process.env };
  const turn = new TurnFiles(store, [new Workspace(root, options)]);
  await turn.beforeCommand();
  for (let index = 0; index < 60; index += 2) {
    writeFileSync(join(root, `d${index % 7}`, `f${index}`), `new ${index}\n`);
  }
  rmSync(join(root, "d3"), { recursive: true });
  symlinkSync("d1", join(root, "d3"));
  rmSync(join(root, "d5"), { recursive: true });
  writeFileSync(join(root, "d5"), "a file now");
  mkdirSync(join(root, "more", "deep"), { recursive: true });
  writeFileSync(join(root, "more", "deep", "file"), "more");
  const manifest = await turn.finish();
  const after = treeOf(root);
  const { steps } = await planRestore(manifest === undefined ? [] : [manifest], { store });
  return { folder, root, storeFolder, steps, before, after };
}
