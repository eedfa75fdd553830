import type { InputItem } from "../protocol/types.js";
import { sessionConversation } from "./conversation.js";
import { converse } from "./converse.js";
import { notifyOfEnd } from "./notify.js";
import type { TaskWork } from "./task.js";
import { warnOfUnknownModel } from "./unknown-model.js";
import { isEmptyInput } from "./user-input.js";

/** What a submission asks of its task beyond its input. */
export interface RegularTaskOptions {
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

    const { failure, lastAgentMessage } = await converse(task, conversation);
    if (failure === undefined) {
      notifyOfEnd(task, items, lastAgentMessage);
      return task.complete(lastAgentMessage);
    }
    task.fail(failure);
    task.complete(undefined);
  };
}
