import { cp, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { ConfigEdit } from "../../config/index.js";
import { errorText } from "../../lib/errors.js";
import { createNew } from "../../lib/files.js";
import type { ExternalAgentTypeResult } from "../../protocol/rpc/v2/external-agent.js";
import type { PlannedItem, PlannedWrite } from "./plan.js";

/** Writes the files of items; a file that fails does not stop the others. */
export async function applyImport(
  items: readonly PlannedItem[],
  editUserConfig: (edits: readonly ConfigEdit[]) => Promise<unknown>,
): Promise<ExternalAgentTypeResult[]> {
  const results: ExternalAgentTypeResult[] = [];
  for (const { type: itemType, cwd = null, writes } of items) {
    const result: ExternalAgentTypeResult = { itemType, successes: [], failures: [] };
    for (const write of writes) {
      const { source, path: target } = write;
      try {
        await apply(write, editUserConfig);
        result.successes.push({ itemType, cwd, source, target, title: null });
      } catch (error) {
        const message = errorText(error);
        result.failures.push({ itemType, cwd, source, failureStage: "write", message });
      }
    }
    results.push(result);
  }
  return results;
}

async function apply(
  write: PlannedWrite,
  editUserConfig: (edits: readonly ConfigEdit[]) => Promise<unknown>,
): Promise<void> {
  const { path } = write;
  if ("edits" in write) return void (await editUserConfig(write.edits));
  await mkdir(dirname(path), { recursive: true });
  if ("copyFrom" in write) {
    await cp(write.copyFrom, path, { recursive: true, force: false, errorOnExist: true });
    return;
  }
  // It may have been created since the detection.
  if (createNew(path, write.text) !== "made") throw new Error(`${path} exists`);
}
