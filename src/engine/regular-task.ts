import type { InputItem } from "../protocol/types.js";
import type { Task, TaskWork } from "./task.js";
import { runTurn } from "./turn.js";
import { isEmptyInput, toUserMessage, toUserMessageEvent } from "./user-input.js";

/** Works on the user's input until the model has nothing more to do. */
export function regularTask(
  items: readonly InputItem[],
  options: RegularTaskOptions = {},
): TaskWork {
  return async (task) => {
    if (isEmptyInput(items)) return task.complete(undefined);
    const { session } = task;
    task.emit({ type: "task_started", model_context_window: session.contextWindow ?? null });
    await recordInput(task, items);

    for (;;) {
      for (const input of session.pending.take()) await recordInput(task, input);
      const outcome = await runTurn(task, options);
      if (outcome.failure !== undefined) {
        task.emit({ type: "error", message: outcome.failure.message });
        return task.complete(undefined);
      }
      if (!outcome.needsAnswer && session.pending.isEmpty) {
        return task.complete(outcome.lastAgentMessage);
      }
    }
  };
}

/** What a submission asks of its task beyond its input. */
export interface RegularTaskOptions {
  /** The JSON Schema that the final answer must follow. */
  outputSchema?: unknown;
}

async function recordInput(task: Task, items: readonly InputItem[]): Promise<void> {
  const message = await toUserMessage(items, task.session.parts.era.engine);
  task.record([message]);
  task.emit(toUserMessageEvent(message), task.session.parts.newId());
}
