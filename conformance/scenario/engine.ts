import { createQueues, runCodex } from "../../src/engine/index.js";
import { createLocalParts } from "../../src/engine/local/parts.js";
import { parseOp } from "../../src/protocol/read/submission.js";
import type {
  ConfigureSessionOp,
  Event,
  SessionConfiguredEvent,
} from "../../src/protocol/types.js";
import { EventWatch } from "./event-watch.js";
import type { Place } from "./settings.js";

/** A running engine with one conversation. */
export interface ScenarioEngine {
  configured: SessionConfiguredEvent;
  events: readonly Event[];
  /** Submits an op as it came over the wire. */
  submit(op: unknown): void;
  until(type: string): Promise<Event>;
  /** Ends it; all it had to write is written. */
  close(): Promise<void>;
}

/** The shell reported to the model, independent of the user's shell on this machine. */
export const shellName = "bash";

/** Starts an engine and its conversation. */
export async function startEngine(
  place: Place,
  configure: ConfigureSessionOp,
): Promise<ScenarioEngine> {
  const { env, workspace: cwd, era } = place;
  const parts = createLocalParts({ env, cwd, era: era.name });
  const queues = createQueues();
  const watch = new EventWatch(queues.events);
  const running = runCodex(queues, { ...parts, shell: shellName });
  let count = 0;
  const close = async () => {
    queues.submissions.push({ id: "end", op: { type: "shutdown" } });
    await running;
    await parts.close();
  };
  queues.submissions.push({ id: "", op: configure });
  try {
    const { msg } = await watch.until("session_configured");
    return {
      configured: msg as SessionConfiguredEvent,
      events: watch.seen,
      submit: (op) => queues.submissions.push({ id: String(count++), op: parseOp(op) }),
      until: (type) => watch.until(type),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
