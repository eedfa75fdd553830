import type { Era } from "../../compat/index.js";
import { unknownModelWarning } from "../../engine/index.js";
import type { Thread } from "../thread/index.js";

/** Tells before a turn begins that nothing is known of its model, where the version does. */
export function warnOfModel(
  thread: Thread,
  { model, turnId }: { model?: string | null; turnId: string },
  era: Era,
): void {
  if (era.engine.unknownModelWarning !== "before it") return;
  const message = unknownModelWarning(model ?? thread.settings.model, era);
  if (message === undefined) return;
  thread.receive({ id: turnId, msg: { type: "warning", message }, thread_id: thread.id });
}
