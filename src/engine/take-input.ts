import type { ConfigureSessionOp, InputItem } from "../protocol/types.js";
import type { ReturnTo } from "./bookmarks.js";
import { regularTask } from "./regular-task.js";
import type { Session } from "./session.js";
import { startTask } from "./task.js";

/** Handling of input while a task runs. */
export type OnInput = NonNullable<ConfigureSessionOp["on_input"]>;

/** Input of the user, and how its task begins. */
export interface Input {
  id: string;
  items: InputItem[];
  /** The JSON Schema that the final answer must follow. */
  outputSchema: unknown;
  /** Goes to the bookmark that it continues from. */
  returnTo: ReturnTo | undefined;
  /** Applies the settings that come with it. */
  applySettings?(): void;
}

/** Starts a task with the input, or does with the running one what the client has chosen. */
export function takeInput(session: Session, input: Input, byDefault: OnInput): void {
  const { id, items, outputSchema, returnTo } = input;
  const start = () => {
    session.abortTask("replaced");
    returnTo?.();
    input.applySettings?.();
    startTask(session, id, regularTask(items, outputSchema == null ? {} : { outputSchema }));
  };
  const onInput = session.onInput ?? byDefault;
  if (session.task === undefined) start();
  else if (onInput === "queue") session.current.queue({ id, start });
  else if (onInput === "replace" || returnTo !== undefined) start();
  else {
    input.applySettings?.();
    session.pending.add(items);
  }
}
