import type { RolloutLine } from "../protocol/types.js";
import { visitFiles } from "./history-base.js";
import type { RebuiltTurn } from "./items/rebuilt-turn.js";
import { TurnBuilder, type TurnBuilderOptions } from "./items/turns.js";
import { type LinePosition, readRollout } from "./read.js";
import { Warnings } from "./warnings.js";

/** Turns of a conversation, and warnings about lines that could not be read. */
export interface ReadTurns {
  turns: readonly RebuiltTurn[];
  warnings: string[];
}

/** Reads the turns of a conversation; the file is not locked. */
export async function readTurns(path: string): Promise<ReadTurns> {
  return read(path, {});
}

/**
 * Reads the turns of a conversation without their items, to use little memory.
 *
 * `readTurn` reads the items of one turn.
 */
export async function readTurnOutline(path: string): Promise<ReadTurns> {
  return read(path, { countsOnly: true });
}

/** Reads a turn of an outline again, with its items. */
export async function readTurn(outlined: RebuiltTurn): Promise<RebuiltTurn> {
  const { lateItems = [], ...turn } = outlined;
  const { position, firstItem } = turn;
  const builder = new TurnBuilder({ firstItem });
  const visitor = { skipsItems: true, line: (line: RolloutLine) => builder.add(line) };
  const range = {
    warnings: new Warnings(),
    from: position.start,
    ...(position.end === undefined ? {} : { until: position.end }),
  };
  await readRollout(position.file, visitor, range);
  // Status and times of the outline may come from lines after the turn.
  const items = builder.turns[0]?.items ?? [];
  return { ...turn, items: [...items, ...lateItems] };
}

async function read(path: string, options: TurnBuilderOptions): Promise<ReadTurns> {
  const builder = new TurnBuilder(options);
  const warnings = await visitFiles(path, (file) => ({
    skipsItems: true,
    line: (line: RolloutLine, { start, end }: LinePosition) =>
      builder.add(line, { file, start, end }),
  }));
  return { turns: builder.turns, warnings };
}
