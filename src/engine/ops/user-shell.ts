import type { EventMsg } from "../../protocol/types.js";
import type { RunningTask } from "../current-task.js";
import { startWithoutInput } from "../loop.js";
import { userMessage } from "../messages.js";
import { PermissionGrants } from "../permissions.js";
import type { Session } from "../session.js";
import type { TaskWork } from "../task.js";
import type { OpHandler, OpHandlers } from "./op-handler.js";

/** Runs a shell command of the user: beside the active task, or as a separate task. */
const runUserShellCommand: OpHandler<"run_user_shell_command"> = (session, op, id) => {
  const { task } = session;
  if (task === undefined) startWithoutInput(session, id, userShellTask(op));
  else {
    session.parts.queues.applied?.(id);
    void runBeside(session, task, op).catch(() => {}); // It ends with the task.
  }
};

interface UserCommand {
  command: string;
  timeout_ms?: number;
}

function userShellTask(command: UserCommand): TaskWork {
  return async (task) => {
    const { session } = task;
    task.start();
    // It is never run a second time, not even if the engine is lost now.
    session.parts.queues.applied?.(task.id);
    task.record([await run(session, task, command)]);
    await session.files?.finish(task);
    task.complete(undefined);
  };
}

/** The model gets the output with its next request, after the outputs of its own calls. */
async function runBeside(session: Session, task: RunningTask, command: UserCommand): Promise<void> {
  const message = await run(session, task, command);
  if (session.task === undefined) session.record([message]);
  else session.pending.addItem(message);
}

async function run(session: Session, task: RunningTask, { command, timeout_ms }: UserCommand) {
  const callId = session.parts.newId();
  const { log, queues } = session.parts;
  const context = {
    callId,
    turn: { ...session.context, sandbox_policy: PermissionGrants.over(session.context) },
    emit: (msg: EventMsg) => task.emit(msg, callId),
    room: () => queues.room?.(),
    ...(log.settled && { settled: () => log.settled?.() }),
    beforeCommand: async () => (await task.files())?.beforeCommand(),
    signal: task.signal,
  };
  const limit = timeout_ms === undefined ? {} : { timeoutMs: timeout_ms };
  const output = task.countCall(() => session.parts.userShell.run(command, context, limit));
  return userMessage(await output);
}

/** Handlers of commands that the user runs. */
export const userShellOps = {
  run_user_shell_command: runUserShellCommand,
} satisfies Partial<OpHandlers>;
