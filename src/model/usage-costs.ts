import { type ConfiguredPrices, costOf, type PricedTokens, priceOf } from "./prices.js";

/** Tokens that a thread used with one model on one day, or in one turn of it. */
interface UsageRecord extends PricedTokens {
  threadId: string;
  project: string;
  day: string;
  model: string;
  turn?: string;
  responses: number;
  reasoning: number;
}

/** Usage of a group of responses. */
export interface UsageRow {
  /** Day, model, directory, thread or turn. */
  key: string;
  responses: number;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  reasoningOutputTokens: number;
  totalTokens: number;
  /** In US dollars; null if the price of a model is not known. */
  cost: number | null;
  /** Models without a known price. */
  unpricedModels: string[];
}

/** Usage by group, and all together. */
export interface GroupedUsage {
  rows: UsageRow[];
  total: UsageRow;
}

/** Adds up usage by group; rows are in the order of their keys. */
export function groupUsage(
  records: readonly UsageRecord[],
  by: "day" | "model" | "project" | "thread" | "turn",
  prices: ConfiguredPrices = {},
): GroupedUsage {
  const field = by === "thread" ? "threadId" : by;
  const rows = new Map<string, UsageRow>();
  const total = emptyRow("total");
  for (const record of records) {
    const key = record[field] ?? "";
    const row = rows.get(key) ?? emptyRow(key);
    rows.set(key, row);
    for (const one of [row, total]) addTo(one, record, prices);
  }
  const sorted = [...rows.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  return { rows: sorted, total };
}

function emptyRow(key: string): UsageRow {
  return {
    key,
    responses: 0,
    inputTokens: 0,
    cachedInputTokens: 0,
    outputTokens: 0,
    reasoningOutputTokens: 0,
    totalTokens: 0,
    cost: 0,
    unpricedModels: [],
  };
}

function addTo(row: UsageRow, record: UsageRecord, prices: ConfiguredPrices): void {
  row.responses += record.responses;
  row.inputTokens += record.input;
  row.cachedInputTokens += record.cachedInput;
  row.outputTokens += record.output;
  row.reasoningOutputTokens += record.reasoning;
  row.totalTokens += record.input + record.output;
  const price = priceOf(record.model, prices);
  if (price === undefined) {
    row.cost = null;
    if (!row.unpricedModels.includes(record.model)) row.unpricedModels.push(record.model);
  } else if (row.cost !== null) row.cost += costOf(record, price);
}

/** Formats usage as a table for people. */
export function usageTable(by: string, { rows, total }: GroupedUsage): string {
  const head = [by, "responses", "input", "cached", "output", "total", "cost"];
  const lines = [head, ...[...rows, total].map(cells)];
  const widths = head.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const format = (line: readonly string[]) =>
    line
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ");
  const unknown = total.unpricedModels;
  const note =
    unknown.length === 0
      ? ""
      : `Price not known: ${unknown.join(", ")}. Set it in config.toml: [model_prices."${unknown[0]}"]\n`;
  return `${lines.map(format).join("\n")}\n${note}`;
}

function cells(row: UsageRow): string[] {
  const { key, responses, inputTokens, cachedInputTokens, outputTokens, totalTokens, cost } = row;
  const counts = [responses, inputTokens, cachedInputTokens, outputTokens, totalTokens];
  return [key || "?", ...counts.map(String), cost === null ? "?" : `$${cost.toFixed(2)}`];
}
