import type { TurnPlan } from "../../protocol/rpc/v2/turn.js";
import type { Entry } from "../state/entries.js";
import type { TurnFacts } from "../state/thread-view.js";

/** A row of the conversation. */
export type Row = { key: string; chunk: number } & (
  | { kind: "entry"; entry: Entry }
  /** Commands that only read or searched, in a row. */
  | { kind: "explored"; entries: readonly Entry[] }
  | { kind: "plan"; plan: TurnPlan }
  | { kind: "end"; turn: TurnFacts; entries: readonly Entry[] }
);

/** Rows that are rendered together. */
export interface RowChunk {
  id: number;
  rows: Row[];
}

/** Everything that rows are made of. */
interface RowSource {
  entries: readonly Entry[];
  turns: ReadonlyMap<string, TurnFacts>;
  plans: ReadonlyMap<string, TurnPlan>;
}

/** Returns the rows of a conversation; a turn ends with its plan and its footer. */
export function toChunks({ entries, turns, plans }: RowSource): RowChunk[] {
  const chunks: RowChunk[] = [];
  const add = (row: Row) => {
    const last = chunks.at(-1);
    if (last?.id === row.chunk) last.rows.push(row);
    else chunks.push({ id: row.chunk, rows: [row] });
  };
  let start = 0;
  while (start < entries.length) {
    const turnId = entries[start]?.turnId ?? "";
    let end = start;
    while (end < entries.length && entries[end]?.turnId === turnId) end++;
    const own = entries.slice(start, end);
    for (const row of grouped(own)) add(row);
    const chunk = own.at(-1)?.chunk ?? 0;
    const plan = plans.get(turnId);
    if (plan !== undefined) add({ key: `plan-${turnId}`, chunk, kind: "plan", plan });
    const turn = turns.get(turnId);
    if (turn !== undefined && turn.status !== "inProgress") {
      add({ key: `end-${turnId}`, chunk, kind: "end", turn, entries: own });
    }
    start = end;
  }
  return chunks;
}

/** Joins three or more explorations in a row. */
function grouped(entries: readonly Entry[]): Row[] {
  const rows: Row[] = [];
  let run: Entry[] = [];
  const flush = () => {
    const [first] = run;
    if (first !== undefined && run.length >= leastExplored) {
      rows.push({ key: `x-${first.key}`, chunk: first.chunk, kind: "explored", entries: run });
    } else rows.push(...run.map(toRow));
    run = [];
  };
  for (const entry of entries) {
    if (isExploration(entry)) {
      if (run[0] !== undefined && run[0].chunk !== entry.chunk) flush();
      run.push(entry);
    } else {
      flush();
      rows.push(toRow(entry));
    }
  }
  flush();
  return rows;
}

function toRow(entry: Entry): Row {
  return { key: entry.key, chunk: entry.chunk, kind: "entry", entry };
}

/** Read without a subscription: a list of thousands of items is not watched item by item. */
function isExploration({ item }: Entry): boolean {
  const value = item.peek();
  return (
    value.type === "commandExecution" &&
    value.status === "completed" &&
    value.exitCode === 0 &&
    value.commandActions.length > 0 &&
    value.commandActions.every(({ type }) => type !== "unknown")
  );
}

const leastExplored = 3;
