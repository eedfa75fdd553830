import type { Socket } from "node:net";
import { createDeferred } from "../lib/async.js";
import type { AccessGuard } from "./access-guard.js";
import { type ByteStreams, byteChannel } from "./byte-channel.js";
import { type Channel, Malformed } from "./channel.js";
import { TransportError } from "./error.js";
import type { ConnectionInfo } from "./listener.js";

/**
 * Serves a client that sends lines over a plain socket.
 *
 * There are no headers, so a token is the first line: `{"token":"…"}`, answered by
 * `{"token":"accepted"}`, or by `{"token":"refused"}` and the end. If the listener requires no
 * token, a client may still send one.
 *
 * A page in a browser can make the browser send an HTTP request or a TLS hello to any local port,
 * with lines of its choice further down. So a connection whose first line is not a JSON object is
 * dropped, and none of its later lines is delivered.
 */
export function serveRawSocket(socket: Socket, guard: AccessGuard, info: ConnectionInfo): void {
  const needsToken = guard.checkToken !== undefined;
  let state: "first" | "open" | "refused" = "first";
  const start = startsAsObject();
  const channel = socketChannel(socket, {
    admit: (chunk) => state !== "first" || start(chunk) !== false || drop(),
    filter(message) {
      if (state !== "first") return state === "open";
      if (needsToken) {
        if (!isTokenLine(message) || !guard.checkToken?.(message.token)) return refuse();
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
    guard.admit(channel, info);
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
    guard.forget(channel);
  });
  if (needsToken) channel.incoming[Symbol.asyncIterator]();
  else enter();
}

/** Sends lines over a connected socket; with a token, resolves once it was accepted. */
export async function joinRawSocket(socket: Socket, token: string | undefined): Promise<Channel> {
  if (token === undefined) return socketChannel(socket);
  const answer = createDeferred<boolean>();
  let isAnswered = false;
  const channel = socketChannel(socket, {
    filter(message) {
      // A server that requires no token may send messages before it reads ours.
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

/**
 * Creates a check of the first bytes of a connection: returns true once they open a JSON object,
 * false once they cannot, undefined while only blank bytes have arrived.
 *
 * It decides on the first non-blank byte, so that nothing is buffered for a peer that speaks
 * another protocol and never sends a newline.
 */
function startsAsObject(): (chunk: Uint8Array) => boolean | undefined {
  let decided: boolean | undefined;
  let seen = 0;
  return (chunk) => {
    for (const byte of chunk) {
      if (decided !== undefined) return decided;
      if (seen < byteOrderMark.length && byte === byteOrderMark[seen]) seen++;
      else if (seen > 0 && seen < byteOrderMark.length) decided = false;
      else if (!blanks.has(byte)) decided = byte === openBrace;
    }
    return decided;
  };
}

const byteOrderMark = [0xef, 0xbb, 0xbf];
const blanks = new Set([0x20, 0x09, 0x0d, 0x0a]);
const openBrace = 0x7b;

/** Creates a channel over a TCP, TLS or Unix-domain socket. */
function socketChannel(
  socket: Socket,
  options: Pick<ByteStreams, "admit" | "filter" | "firstLimit"> = {},
): Channel {
  return byteChannel({ input: socket, output: socket, hangUp: () => linger(socket), ...options });
}

/**
 * Waits for the peer to close too before destroying the socket.
 *
 * Closing a socket with unread input resets the connection, and a reset can overtake the last
 * messages sent.
 */
function linger(socket: Socket): void {
  if (socket.destroyed) return;
  if (socket.readableEnded) {
    socket.destroy();
    return;
  }
  socket.resume();
  socket.once("end", () => socket.destroy());
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once("close", () => clearTimeout(timer));
}

const lingerMs = 1000;
