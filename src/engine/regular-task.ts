import { errorText } from "../lib/errors.js";
import { notifyUser } from "../project/index.js";
import type { InputItem } from "../protocol/types.js";
import { sessionConversation } from "./conversation.js";
import { runLoop } from "./loop.js";
import { isEmptyInput } from "./messages.js";
import { warnOfUnknownModel } from "./model-errors.js";
import type { Task, TaskWork } from "./task.js";

/** Options of a regular task. */
interface RegularTaskOptions {
  /** The JSON Schema that the final answer must follow. */
  outputSchema?: unknown;
}

/** Works on the user's input until the model has nothing more to do. */
export function regularTask(
  items: readonly InputItem[],
  { outputSchema }: RegularTaskOptions = {},
): TaskWork {
  return async (task) => {
    if (isEmptyInput(items)) return task.complete(undefined);
    warnOfUnknownModel(task);
    task.start();
    const conversation = sessionConversation(task, outputSchema);
    await conversation.addInput(items);

    const { failure, lastAgentMessage } = await runLoop(task, conversation);
    if (failure === undefined) {
      notifyOfEnd(task, items, lastAgentMessage);
      return task.complete(lastAgentMessage);
    }
    task.fail(failure);
    task.complete(undefined);
  };
}

/** Starts the user's own program when a task has ended well. */
function notifyOfEnd(
  { session, id, turnId }: Task,
  items: readonly InputItem[],
  lastAgentMessage: string | undefined,
): void {
  const { notify } = session.config;
  if (notify === undefined || notify.length === 0) return;
  const { recordsTasks } = session.parts.era.engine;
  notifyUser(
    {
      type: "agent-turn-complete",
      ...(recordsTasks ? { "thread-id": session.id } : {}),
      "turn-id": recordsTasks ? turnId : id,
      ...(recordsTasks ? { cwd: session.context.cwd } : {}),
      "input-messages": items.flatMap((item) => (item.type === "text" ? [item.text] : [])),
      "last-assistant-message": lastAgentMessage ?? null,
    },
    {
      argv: notify,
      cwd: session.context.cwd,
      onFailure: (error) =>
        session.warn(`The notify program ${notify[0]} could not be started: ${errorText(error)}`),
    },
  );
}
