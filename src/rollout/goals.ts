import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { errorText } from "../lib/error-text.js";
import { CodexError } from "../protocol/error.js";
import { appendLines } from "./append-lines.js";

/** What the user wants to reach in a conversation. */
export interface Goal {
  objective: string;
  status: string;
  tokenBudget: number | null;
  /** In Unix seconds. */
  createdAt: number;
  updatedAt: number;
}

/**
 * The file of the goals that users set for conversations.
 *
 * Lines are only added; of several about one conversation the last counts, and one without a goal
 * takes it away.
 */
function goalsPath(home: string): string {
  return join(home, "quire-goals.jsonl");
}

/** The goal of a conversation, if it has one. */
export async function readGoal(home: string, id: string): Promise<Goal | undefined> {
  const text = await readFile(goalsPath(home), "utf8").catch(() => "");
  const entry = text.split("\n").findLast((line) => line.includes(id) && tryParse(line)?.id === id);
  return entry === undefined ? undefined : (tryParse(entry)?.goal ?? undefined);
}

/** Keeps the goal of a conversation; without one, takes it away. */
export async function writeGoal(home: string, id: string, goal: Goal | undefined): Promise<void> {
  try {
    await appendLines(goalsPath(home), `${JSON.stringify({ id, goal: goal ?? null })}\n`);
  } catch (error) {
    const reason = errorText(error);
    throw new CodexError("io", `Cannot keep the goal of ${id}: ${reason}`, { cause: error });
  }
}

function tryParse(line: string): { id?: unknown; goal?: Goal | null } | undefined {
  try {
    return JSON.parse(line) as { id?: unknown; goal?: Goal | null };
  } catch {
    return undefined;
  }
}
