import type { Socket } from "node:net";
import { createDeferred } from "../lib/deferred.js";
import { type Channel, Malformed } from "./channel.js";
import type { Door } from "./door.js";
import { TransportError } from "./error.js";
import { startsAsObject } from "./first-line.js";
import type { ConnectionInfo } from "./listen.js";
import { socketChannel } from "./socket-channel.js";

/**
 * Serves a client that sends lines over a bare socket.
 *
 * There are no headers, so a token is the first line: `{"token":"…"}`, answered by
 * `{"token":"accepted"}` or `{"token":"refused"}` and the end. If the listener needs no token, a
 * client may send one all the same.
 *
 * A page in a browser can make the browser send an HTTP request or a TLS hello to any local port,
 * with lines of its own further down. So a connection whose first line is not a JSON object is
 * dropped, and none of its later lines is delivered.
 */
export function serveRawSocket(socket: Socket, door: Door, info: ConnectionInfo): void {
  const needsToken = door.checkToken !== undefined;
  let state: "first" | "open" | "refused" = "first";
  const start = startsAsObject();
  const channel = socketChannel(socket, {
    admit: (chunk) => state !== "first" || start(chunk) !== false || drop(),
    filter(message) {
      if (state !== "first") return state === "open";
      if (needsToken) {
        if (!isTokenLine(message) || !door.checkToken?.(message.token)) return refuse();
      } else if (!isObject(message)) return drop();
      state = "open";
      if (!isTokenLine(message)) return true;
      channel.send(accepted);
      if (needsToken) enter();
      return false;
    },
    ...(needsToken && { firstLimit: maxTokenLine }),
  });
  const enter = () => {
    clearTimeout(timer);
    door.enter(channel, info);
  };
  const drop = () => {
    state = "refused";
    channel.destroy();
    return false;
  };
  const refuse = () => {
    state = "refused";
    channel.send(refused);
    void channel.close();
    return false;
  };
  const timer = needsToken ? setTimeout(drop, tokenWaitMs).unref() : undefined;
  socket.once("close", () => {
    clearTimeout(timer);
    door.left(channel);
  });
  if (needsToken) channel.incoming[Symbol.asyncIterator]();
  else enter();
}

/** Speaks lines over a connected socket; with a token, resolves when it has been accepted. */
export async function joinRawSocket(socket: Socket, token: string | undefined): Promise<Channel> {
  if (token === undefined) return socketChannel(socket);
  const answer = createDeferred<boolean>();
  let isAnswered = false;
  const channel = socketChannel(socket, {
    filter(message) {
      // A server that needs no token may have spoken before it read ours.
      if (isAnswered || !isTokenLine(message)) {
        answer.resolve(true);
        return true;
      }
      isAnswered = true;
      answer.resolve(message.token === accepted.token);
      return false;
    },
  });
  socket.once("close", () => answer.resolve(false));
  channel.send({ token });
  channel.incoming[Symbol.asyncIterator]();
  if (await answer.promise) return channel;
  channel.destroy();
  throw new TransportError("unauthorized", "The server refused the token");
}

interface TokenLine {
  token: string;
}

function isTokenLine(message: unknown): message is TokenLine {
  if (typeof message !== "object" || message === null || !("token" in message)) return false;
  return typeof message.token === "string" && Object.keys(message).length === 1;
}

function isObject(message: unknown): boolean {
  const isValue = typeof message === "object" && message !== null;
  return isValue && !Array.isArray(message) && !(message instanceof Malformed);
}

const accepted: TokenLine = { token: "accepted" };
const refused: TokenLine = { token: "refused" };
const maxTokenLine = 16 * 1024;
const tokenWaitMs = 10_000;
