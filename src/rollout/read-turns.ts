import { type RebuiltTurn, TurnBuilder } from "./items/turns.js";
import { readRollout } from "./read.js";
import { Warnings } from "./warnings.js";

/** Reads the turns of a conversation, as clients are shown them; the file is not locked. */
export async function readTurns(
  path: string,
): Promise<{ turns: readonly RebuiltTurn[]; warnings: string[] }> {
  const builder = new TurnBuilder();
  const warnings = new Warnings();
  await readRollout(path, { line: (line) => builder.add(line) }, { warnings });
  return { turns: builder.turns, warnings: warnings.list() };
}
