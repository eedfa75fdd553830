import { createLocalParts, type LocalOptions } from "../engine/index.js";
import { type Channel, linkedChannels } from "../transport/index.js";
import { serveAppServer } from "./app-server/serve.js";
import { Server } from "./server.js";

/**
 * Starts an app-server for one client in this process; the channel is the client's end.
 *
 * Closing it ends the server: once `close` has resolved its threads have ended, with their
 * commands, and their logs are on disk.
 */
export function startInProcessAppServer(options: Omit<LocalOptions, "surface">): Channel {
  const [own, theirs] = linkedChannels();
  const parts = createLocalParts({ ...options, surface: "json-rpc" });
  const server = new Server(parts);
  const ended = serveAppServer(theirs, server).finally(async () => {
    await server.close();
    await parts.close();
  });
  // Whoever closes the channel hears of a failure; unheard it must not end the process.
  ended.catch(() => undefined);
  return closingWith(own, ended);
}

function closingWith(channel: Channel, ended: Promise<void>): Channel {
  return {
    incoming: channel.incoming,
    takesValues: channel.takesValues,
    get isOpen() {
      return channel.isOpen;
    },
    get backlog() {
      return channel.backlog;
    },
    send: (message) => channel.send(message),
    sendText: (json) => channel.sendText(json),
    drained: () => channel.drained(),
    end: () => channel.end(),
    destroy: () => channel.destroy(),
    async close() {
      await channel.close();
      await ended;
    },
  };
}
