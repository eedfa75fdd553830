import { errorText } from "../lib/error-text.js";
import { notifyUser } from "../project/index.js";
import type { InputItem } from "../protocol/types.js";
import type { Task } from "./task.js";

/** Starts the user's own program when a task has ended well. */
export function notifyOfEnd(
  { session, id, turnId }: Task,
  items: readonly InputItem[],
  lastAgentMessage: string | undefined,
): void {
  const { notify } = session.config;
  if (notify === undefined || notify.length === 0) return;
  const { logsTasks } = session.parts.era.engine;
  notifyUser(
    {
      type: "agent-turn-complete",
      ...(logsTasks ? { "thread-id": session.id } : {}),
      "turn-id": logsTasks ? turnId : id,
      ...(logsTasks ? { cwd: session.context.cwd } : {}),
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
