import { eraOf } from "../../../src/compat/index.js";
import type { Clock } from "../../../src/lib/clock.js";
import type { Event, EventMsg } from "../../../src/protocol/types.js";
import { ClientMessages } from "../../../src/server/feed/client-messages.js";
import { projectEvent } from "../../../src/server/feed/project.js";
import { ThreadProjection } from "../../../src/server/feed/projection.js";

/** Creates a projection of thread `t` that records its notifications; the clock stands at 5 s. */
export function createProjection({ era = "current", announced = [] as string[] } = {}) {
  const sent: { method: string; params: unknown }[] = [];
  const promised = new Set(announced);
  const messages = new ClientMessages();
  const projection = new ThreadProjection({
    threadId: "t",
    era: eraOf(era),
    clock: { now: () => 5000 } as Clock,
    messages,
    withdraw: (turnId) => promised.delete(turnId),
    notify: (method, params) => sent.push({ method, params }),
  });
  return {
    projection,
    messages,
    promised,
    /** Projects events of submission `s` in turn `u`; returns the notifications. */
    project(...msgs: (EventMsg | Event)[]) {
      const from = sent.length;
      for (const msg of msgs) {
        const event = "msg" in msg ? msg : { id: "s", turn_id: "u", item_id: "i", msg };
        projectEvent(event as Event, projection);
      }
      return sent.slice(from);
    },
  };
}

/** Starts turn `u`. */
export const started = { type: "task_started" } as EventMsg;
