import type { ParamsOf } from "../../client/index.js";
import type { UserInput } from "../../protocol/rpc/v2/user-input.js";
import { moveDraft } from "../composer/drafts.js";
import { addThread, adopt, goTo, loadThreads, openView, request } from "./app.js";
import { done, problem } from "./problem.js";
import { draftSettings, nextSettings, switchPlanMode } from "./settings.js";
import type { ThreadView } from "./thread-view.js";

/**
 * Sends input: starts a thread if none is open, adds to the running turn, or starts a turn.
 *
 * Inputs that are sent in a row arrive in their order.
 */
export function send(input: UserInput[]): Promise<void> {
  starting ??= openView.value === undefined ? startThread(input) : undefined;
  const target = openView.value ?? starting;
  const sent = lastSent.then(async () => {
    const view = await target;
    if (view !== undefined) await sendTo(view, input);
  });
  lastSent = sent.catch(() => undefined);
  return sent;
}

let lastSent: Promise<void> = Promise.resolve();
/** The thread that is being started; the next inputs are for it too. */
let starting: Promise<ThreadView> | undefined;

async function sendTo(view: ThreadView, input: UserInput[]): Promise<void> {
  const threadId = view.id;
  view.sentCount.value++;
  const expectedTurnId = view.runningTurn.value;
  if (expectedTurnId !== undefined) {
    const clientUserMessageId = newMessageId();
    view.progress.send({ clientId: clientUserMessageId, text: textOf(input) });
    try {
      await request("turn/steer", { threadId, input, expectedTurnId, clientUserMessageId });
      return;
    } catch {
      // The turn has ended in the meantime, or takes no input.
      view.progress.arrived(clientUserMessageId);
    }
  }
  const { turn } = await request("turn/start", { threadId, input });
  if (turn.status === "inProgress") view.runningTurn.value ??= turn.id;
}

async function startThread(input: UserInput[]): Promise<ThreadView> {
  try {
    const { thread } = await request("thread/start", nextSettings());
    addThread({ ...thread, preview: textOf(input) });
    moveDraft(thread.id);
    const view = adopt(thread.id);
    if (draftSettings.value.isPlanning) {
      await switchPlanMode(view);
      draftSettings.value = { ...draftSettings.value, isPlanning: false };
    }
    return view;
  } finally {
    starting = undefined;
  }
}

/** Queues input for a turn of its own, after the running one. */
export async function enqueue(view: ThreadView, input: UserInput[]): Promise<void> {
  const clientUserMessageId = newMessageId();
  await request("thread/queue/add", { threadId: view.id, input, clientUserMessageId });
}

/** Browsers have no `randomUUID` on pages without TLS that are not on loopback. */
function newMessageId(): string {
  return crypto.randomUUID?.() ?? `web-${Date.now()}-${Math.random()}`;
}

function textOf(input: readonly UserInput[]): string {
  return input.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(" ");
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

/** Replaces the history by a summary. */
export function compact(view: ThreadView): Promise<void> {
  return reporting(async () => {
    await request("thread/compact/start", { threadId: view.id });
  });
}

/** Reviews changes. */
export function review(
  view: ThreadView,
  target: ParamsOf<"review/start">["target"],
): Promise<void> {
  return reporting(async () => {
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
    done.value = { text: "The thread is archived", undo: () => void unarchive(threadId) };
    await loadThreads();
  });
}

function unarchive(threadId: string): Promise<void> {
  return reporting(async () => {
    await request("thread/unarchive", { threadId });
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
