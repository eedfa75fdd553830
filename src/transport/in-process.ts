import { backlogLimit, type Channel } from "./channel.js";
import { Inbox, weigh } from "./inbox.js";

/**
 * Two channels that are each other's peer, for a client and a server in one process.
 *
 * Messages are handed over as they are, not copied: the sender must not change them afterwards.
 */
export function linkedChannels(): [Channel, Channel] {
  const left = new Inbox(neverPaused, backlogLimit);
  const right = new Inbox(neverPaused, backlogLimit);
  return [end(left, right), end(right, left)];
}

function end(inbox: Inbox, outbox: Inbox): Channel {
  const send = (message: unknown, bytes: number) => {
    outbox.push(message, bytes);
    return outbox.bytes < backlogLimit;
  };
  return {
    incoming: inbox,
    takesValues: true,
    get isOpen() {
      return !outbox.isEnded;
    },
    get backlog() {
      return outbox.bytes;
    },
    send: (message) => send(message, weigh(message)),
    sendText: (json) => send(JSON.parse(json), json.length),
    drained: () => outbox.whenRoom(),
    end: () => outbox.end(),
    async close() {
      outbox.end();
      inbox.end();
    },
    destroy() {
      outbox.discard();
      inbox.discard();
    },
  };
}

/** The sender is told by `send`; there is nothing else to slow down. */
const neverPaused = { pause() {}, resume() {} };
