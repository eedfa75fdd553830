import { backlogLimit, type Channel } from "./channel.js";
import { Inbox, weigh } from "./inbox.js";

/**
 * Creates two connected channels, for a client and a server in one process.
 *
 * Messages are passed by reference, not copied: the sender must not change them afterwards.
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

/** `send` returns false to a sender that should wait; there is no other source to pause. */
const neverPaused = { pause() {}, resume() {} };
