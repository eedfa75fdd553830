import type { Socket } from "node:net";
import { type ByteStreams, byteChannel } from "./byte-channel.js";
import type { Channel } from "./channel.js";

/** Newline-delimited JSON over a TCP, TLS or Unix-domain socket. */
export function socketChannel(
  socket: Socket,
  options: Pick<ByteStreams, "admit" | "filter" | "firstLimit"> = {},
): Channel {
  return byteChannel({ input: socket, output: socket, hangUp: () => linger(socket), ...options });
}

/**
 * Waits for the peer to hang up too before the socket goes.
 *
 * Closing a socket that has unread input resets the connection, and a reset can overtake the last
 * words that were sent.
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
