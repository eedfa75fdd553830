import { Queue } from "../lib/queue.js";
import type { Channel } from "./channel.js";

/**
 * Two channels that are each other's peer, for a client and a server in one process.
 *
 * Messages are handed over as they are, not copied: the sender must not change them afterwards.
 */
export function linkedChannels(): [Channel, Channel] {
  const left = new Queue<unknown>();
  const right = new Queue<unknown>();
  return [end(left, right), end(right, left)];
}

/** Messages that may wait for the reader before the sender is told to slow down. */
const backlogLimit = 1024;

function end(inbox: Queue<unknown>, outbox: Queue<unknown>): Channel {
  return {
    incoming: inbox,
    send(message) {
      outbox.push(message);
      return outbox.size < backlogLimit;
    },
    drained: () => outbox.whenBelow(backlogLimit),
    async close() {
      outbox.close();
      inbox.close();
    },
  };
}
