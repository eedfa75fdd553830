import { writeFile } from "node:fs/promises";
import {
  type AppServerClient,
  runTurn,
  type ServerNotification,
  ThreadFeed,
} from "../../client/index.js";
import type { Era } from "../../compat/index.js";
import type { Turn } from "../../protocol/rpc/v2/turn.js";
import type { CommandIo } from "../command.js";
import { requireEra } from "../identity.js";
import {
  connectExec,
  declineAll,
  type OpenedThread,
  openThread,
  type ThreadChoice,
} from "./connect.js";
import type { ExecRequest } from "./exec-request.js";
import { exitCodeOfRun, explainFailure } from "./outcome.js";
import type { Printer } from "./printer.js";

/** Task of a run. */
export interface ExecTask {
  thread: ThreadChoice;
  /** Prompt; read while the server starts. */
  prompt: Promise<string>;
  /** The prompt is a goal: turns follow until it is reached. */
  isGoal?: boolean;
  /** Starts the turn. */
  start(
    client: AppServerClient,
    threadId: string,
    prompt: string,
  ): Promise<{ turn: { id: string } }>;
}

/** Runs one task without a user and resolves with the exit code. */
export async function runExec(
  task: ExecTask,
  request: ExecRequest,
  io: CommandIo,
): Promise<number> {
  const era = requireEra(io.env);
  const printer = await createPrinter(request, io, era);
  let declined = 0;
  const handlers = declineAll((what) => {
    declined++;
    printer.warn(`Declined (no user to approve it): ${what}`);
  });
  task.prompt.catch(() => undefined); // awaited once the server is there
  const failed = async (error: unknown): Promise<never> => {
    throw await explainFailure(error, request, io);
  };
  const client = await connectExec(request, io, era, handlers).catch(failed);
  const last = new LastMessage();
  let leave = () => {};
  try {
    const feed = new ThreadFeed(client);
    const { opened, close } = await openThread(client, task.thread, request, io).catch(failed);
    leave = close;
    const run = { client, feed, opened, io, printer, last };
    const { turn, goal } = await runTask(task, run);
    if (goal !== undefined && goal !== "complete") printer.warn(`The goal is not reached: ${goal}`);
    await finish(turn, { request, printer, last });
    return exitCodeOfRun(
      { turn, goal, declined, isInterrupted: io.signal.aborted },
      era.execJson.failureExitCode,
    );
  } finally {
    await client.close();
    leave();
  }
}

interface Run {
  client: AppServerClient;
  feed: ThreadFeed;
  opened: OpenedThread;
  io: CommandIo;
  printer: Printer;
  last: LastMessage;
}

async function runTask(task: ExecTask, run: Run): Promise<{ turn: Turn; goal?: string }> {
  const { client, feed, opened, io, printer, last } = run;
  const threadId = opened.thread.id;
  const prompt = await task.prompt;
  printer.begin(opened, prompt);
  const followed = {
    client,
    threadId,
    feed,
    onNotification(notification: ServerNotification) {
      printer.notification(notification);
      last.observe(notification);
    },
    signal: io.signal,
  };
  if (task.isGoal) {
    const { runGoal } = await import("./run-goal.js");
    const { turn, status } = await runGoal({ ...followed, objective: prompt });
    return { turn, goal: status };
  }
  const turn = await runTurn({ ...followed, start: () => task.start(client, threadId, prompt) });
  return { turn };
}

async function finish(
  turn: Turn,
  { request, printer, last }: { request: ExecRequest; printer: Printer; last: LastMessage },
): Promise<void> {
  const answer = turn.status === "completed" ? last.text : undefined;
  if (request.lastMessageFile !== undefined && turn.status === "completed") {
    await writeLastMessage(request.lastMessageFile, answer, (message) => printer.warn(message));
  }
  printer.end(answer);
}

async function createPrinter(request: ExecRequest, io: CommandIo, era: Era): Promise<Printer> {
  if (request.json) {
    const { jsonPrinter } = await import("./printer.js");
    return jsonPrinter(io, era);
  }
  const { textPrinter } = await import("./text-printer.js");
  const isAuto = request.color === "auto";
  const hasColor = isAuto ? io.stderr.isTTY && !io.env.NO_COLOR : request.color === "always";
  return textPrinter(io, { version: era.compatibleWith, hasColor });
}

/** Final message of a turn: the last message of the model, the review, or the plan. */
class LastMessage {
  #message: string | undefined;
  #plan: string | undefined;

  get text(): string | undefined {
    return this.#message ?? this.#plan;
  }

  observe(notification: ServerNotification): void {
    if (notification.method !== "item/completed") return;
    const { item } = notification.params;
    if (item.type === "agentMessage") this.#message = item.text;
    if (item.type === "exitedReviewMode") this.#message = item.review;
    if (item.type === "plan") this.#plan = item.text;
  }
}

/** Writes the final message to a file; warns if there is none. */
async function writeLastMessage(
  file: string,
  text: string | undefined,
  warn: (message: string) => void,
): Promise<void> {
  await writeFile(file, text ?? "");
  if (text === undefined) warn(`no last agent message; wrote empty content to ${file}`);
}

/** Starts a turn with the prompt, and with the images and output schema of the command line. */
export function startTurn({ images, outputSchema }: ExecRequest): ExecTask["start"] {
  return (client, threadId, prompt) =>
    client.request("turn/start", {
      threadId,
      input: [
        ...images.map((path) => ({ type: "localImage" as const, path })),
        { type: "text", text: prompt, text_elements: [] },
      ],
      ...(outputSchema === undefined ? {} : { outputSchema }),
    });
}
