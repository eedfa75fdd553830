import { signal } from "@preact/signals";
import type { UserInput } from "../../protocol/rpc/v2/user-input.js";
import { adopt, goTo, loadThreads, openView, request } from "./app.js";
import { nextSettings } from "./settings.js";
import type { ThreadView } from "./thread-view.js";

/** Problem of the last action, shown until it is dismissed. */
export const problem = signal("");

/** Sends input: starts a thread if none is open, adds to the running turn, or starts a turn. */
export async function send(input: UserInput[]): Promise<void> {
  const view = openView.value ?? (await startThread());
  const threadId = view.id;
  const expectedTurnId = view.runningTurn.value;
  if (expectedTurnId !== undefined) {
    try {
      await request("turn/steer", { threadId, input, expectedTurnId });
      return;
    } catch {
      // The turn has ended in the meantime, or takes no input.
    }
  }
  const { turn } = await request("turn/start", { threadId, input });
  if (turn.status === "inProgress") view.runningTurn.value ??= turn.id;
}

async function startThread(): Promise<ThreadView> {
  const { thread } = await request("thread/start", nextSettings());
  return adopt(thread.id);
}

/** Stops the running turn. */
export function stop(view: ThreadView): Promise<void> {
  const turnId = view.runningTurn.value;
  return reporting(async () => {
    if (turnId !== undefined) await request("turn/interrupt", { threadId: view.id, turnId });
  });
}

/** Copies a thread, up to a turn if one is given, and opens the copy. */
export function forkThread(view: ThreadView, upTo: { lastTurnId?: string } = {}): Promise<void> {
  return reporting(async () => {
    const params = { threadId: view.id, excludeTurns: true, ...upTo };
    adopt((await request("thread/fork", params)).thread.id);
    await loadThreads();
  });
}

/** Removes a turn and all later ones; file changes stay. */
export function revertTo(view: ThreadView, beforeTurnId: string): Promise<void> {
  return reporting(async () => {
    await request("thread/revert", { threadId: view.id, beforeTurnId });
  });
}

/** Replaces the history by a summary. */
export function compact(view: ThreadView): Promise<void> {
  return reporting(async () => {
    await request("thread/compact/start", { threadId: view.id });
  });
}

/** Reviews the uncommitted changes. */
export function review(view: ThreadView): Promise<void> {
  return reporting(async () => {
    const target = { type: "uncommittedChanges" } as const;
    await request("review/start", { threadId: view.id, target });
  });
}

export function rename(threadId: string, name: string): Promise<void> {
  return reporting(async () => {
    await request("thread/name/set", { threadId, name });
    await loadThreads();
  });
}

export function archive(threadId: string): Promise<void> {
  return reporting(async () => {
    await request("thread/archive", { threadId });
    if (openView.value?.id === threadId) goTo(undefined);
    await loadThreads();
  });
}

/** Sets the goal of a thread, or clears it with an empty text. */
export function setGoal(view: ThreadView, objective: string): Promise<void> {
  const threadId = view.id;
  return reporting(async () => {
    if (objective.trim() === "") await request("thread/goal/clear", { threadId });
    else await request("thread/goal/set", { threadId, objective });
  });
}

/** Runs an action; an error is shown to the user. */
export async function reporting(action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    problem.value = error instanceof Error ? error.message : String(error);
  }
}
