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
  between: string[];
}

/** Kills a restore again and again at random moments; each time the files are as before or as wanted. */
export async function killRestores(kills: number, random: () => number): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), "quire-rewind-kill-"));
  try {
    return await run(folder, kills, random);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function run(folder: string, kills: number, random: () => number): Promise<KillReport> {
  const program = await bundleProgram(resolve("test/checkpoint/restore-program.ts"), folder);
  const storeFolder = join(folder, "checkpoints");
  const [root, log] = [join(folder, "work"), join(folder, "log")];
  const report: KillReport = { old: 0, new: 0, between: [] };
  let longestMs = 60;
  for (let kill = 0; kill < kills; kill++) {
    rmSync(root, { recursive: true, force: true });
    writeFileSync(log, "");
    const { steps, before, after } = await changeMuch(root, storeFolder);
    const file = join(folder, "steps.json");
    writeFileSync(file, JSON.stringify({ id: `kill-${kill}`, steps }));
    const child = spawn(process.execPath, [program, storeFolder, file, log]);
    await once(child.stdout, "data");
    const begun = performance.now();
    const timer = setTimeout(() => child.kill("SIGKILL"), random() * longestMs);
    const [code] = await once(child, "exit");
    clearTimeout(timer);
    if (code === 0) longestMs = Math.max(5, performance.now() - begun);
    await recoverRestores(storeFolder);
    const tree = treeOf(root);
    if (isDeepStrictEqual(tree, before)) report.new++;
    else if (isDeepStrictEqual(tree, after)) report.old++;
    else report.between.push(`kill ${kill}: the files are between both states`);
  }
  return report;
}

/** Changes many files in a turn; returns the steps back, and both states. */
async function changeMuch(root: string, storeFolder: string) {
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
  return { steps, before, after };
}
