import type { RolloutLine } from "../protocol/types.js";
import { visitFiles } from "./history-base.js";
import type { RebuiltTurn } from "./items/rebuilt-turn.js";
import { TurnBuilder, type TurnBuilderOptions } from "./items/turns.js";
import { type LinePlace, readRollout, Warnings } from "./read.js";

/** The turns of a conversation, as clients are shown them, and what could not be read of it. */
export interface ReadTurns {
  turns: readonly RebuiltTurn[];
  warnings: string[];
}

/** Reads the turns of a conversation; the file is not locked. */
export async function readTurns(path: string): Promise<ReadTurns> {
  return read(path, {});
}

/**
 * Reads which turns a conversation has, without their items: little is held in memory.
 *
 * `readTurn` reads the items of one of them.
 */
export async function readTurnOutline(path: string): Promise<ReadTurns> {
  return read(path, { countsOnly: true });
}

/** Reads a turn of an outline again, now with its items. */
export async function readTurn(outlined: RebuiltTurn): Promise<RebuiltTurn> {
  const { place, firstItem } = outlined;
  const builder = new TurnBuilder({ firstItem });
  const visitor = { passesItems: true, line: (line: RolloutLine) => builder.add(line) };
  const range = {
    warnings: new Warnings(),
    from: place.start,
    ...(place.end === undefined ? {} : { until: place.end }),
  };
  await readRollout(place.file, visitor, range);
  // What is known of the turn as a whole may have been said behind it.
  return { ...outlined, items: builder.turns[0]?.items ?? [] };
}

async function read(path: string, options: TurnBuilderOptions): Promise<ReadTurns> {
  const builder = new TurnBuilder(options);
  const warnings = await visitFiles(path, (file) => ({
    passesItems: true,
    line: (line: RolloutLine, { start, end }: LinePlace) => builder.add(line, { file, start, end }),
  }));
  return { turns: builder.turns, warnings };
}
