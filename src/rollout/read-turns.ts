import type { RolloutLine } from "../protocol/types.js";
import { readHead } from "./head.js";
import { findBases } from "./history-base.js";
import { type RebuiltTurn, TurnBuilder } from "./items/turns.js";
import { readRollout } from "./read.js";
import { Warnings } from "./warnings.js";

/** Reads the turns of a conversation, as clients are shown them; the file is not locked. */
export async function readTurns(
  path: string,
): Promise<{ turns: readonly RebuiltTurn[]; warnings: string[] }> {
  const builder = new TurnBuilder();
  const warnings = new Warnings();
  const { files } = await findBases(path, (await readHead(path)).meta);
  for (const base of [...files, { path, end: Number.POSITIVE_INFINITY }]) {
    const visitor = { line: (line: RolloutLine) => builder.add(line) };
    await readRollout(base.path, visitor, { warnings, until: base.end });
  }
  return { turns: builder.turns, warnings: warnings.list() };
}
