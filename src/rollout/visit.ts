import { readHead } from "./head.js";
import { findBases } from "./history-base.js";
import { type RolloutVisitor, readRollout } from "./read.js";
import { Warnings } from "./warnings.js";

/**
 * Tells a visitor all lines of a conversation, also those in the files that it goes on from.
 *
 * Resolves with what could not be read. The files are not locked.
 */
export async function visitConversation(path: string, visitor: RolloutVisitor): Promise<string[]> {
  const warnings = new Warnings();
  const { files } = await findBases(path, (await readHead(path)).meta);
  for (const base of [...files, { path, end: Number.POSITIVE_INFINITY }]) {
    await readRollout(base.path, visitor, { warnings, until: base.end });
  }
  return warnings.list();
}
