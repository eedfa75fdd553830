import type { Socket } from "node:net";
import type { NetworkRules } from "../../protocol/permission-rules.js";
import { decideConnection } from "./decide.js";
import type { Target } from "./dial.js";
import { inspectOpening, type Opening } from "./opening.js";

/** Options for `joinTunnel`. */
interface Tunnel {
  rules: NetworkRules;
  target: Target;
  /** The socket of the command. */
  client: Socket;
  /** The connection to the target. */
  upstream: Socket;
  /** Takes over the client's socket if it speaks HTTP: every request of it is checked. */
  onHttp(client: Socket): void;
}

/**
 * Passes bytes between a client and its target until one of them closes.
 *
 * The client's first bytes are inspected before they are passed on: a TLS greeting for a host that
 * the rules deny ends the tunnel, and so does a greeting that cannot be read. Bytes of the server
 * are passed at once, since in some protocols it speaks first.
 */
export async function joinTunnel(tunnel: Tunnel): Promise<void> {
  const { rules, target, client, upstream } = tunnel;
  upstream.pipe(client);
  const separate = closeTogether(client, upstream);
  const { opening, bytes } = await readOpening(client);
  if (opening.protocol === "http") {
    separate();
    upstream.unpipe(client).destroy();
    client.unshift(bytes);
    tunnel.onHttp(client);
  } else if (opening.protocol === "broken") {
    client.destroy();
  } else if (opening.protocol === "tls" && !opening.names.every(isAllowed(rules, target))) {
    upstream.unpipe(client);
    client.end(unrecognizedName);
    upstream.destroy();
  } else {
    upstream.write(bytes);
    if (client.readableEnded) upstream.end();
    else client.pipe(upstream);
  }
}

function isAllowed(rules: NetworkRules, { port }: Target): (name: string) => boolean {
  return (name) => decideConnection(rules, name, port).allowed;
}

/** A fatal TLS alert, which clients show as an error about the name. */
const unrecognizedName = Buffer.from([0x15, 3, 3, 0, 2, 2, 112]);

/** Closes each socket with the other one. Returns a function that cancels this. */
export function closeTogether(left: Socket, right: Socket): () => void {
  const closeRight = () => right.destroySoon();
  const closeLeft = () => left.destroySoon();
  left.once("close", closeRight);
  right.once("close", closeLeft);
  return () => {
    left.off("close", closeRight);
    right.off("close", closeLeft);
  };
}

/** Reads until the protocol is known, or the client has ended its side. */
async function readOpening(client: Socket): Promise<{ opening: Opening; bytes: Buffer }> {
  let bytes = Buffer.alloc(0);
  for (;;) {
    // A client may wait for the server first, as long as it likes.
    const part = await nextPart(client, bytes.length === 0 ? undefined : openingTimeout);
    if (part === undefined) return { opening: { protocol: "other" }, bytes };
    bytes = Buffer.concat([bytes, part]);
    const opening = inspectOpening(bytes);
    if (opening.protocol !== "unknown") return { opening, bytes };
  }
}

/** Time for a client that has started a greeting to send more of it. */
const openingTimeout = 15_000;

/** Returns the next bytes of a paused socket; `undefined` at the end or if it was closed. */
export function nextPart(socket: Socket, timeoutMs?: number): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const timer = timeoutMs && setTimeout(() => socket.destroy(), timeoutMs);
    const settle = (part: Buffer | undefined) => {
      clearTimeout(timer);
      for (const event of ["readable", "end", "close"]) socket.off(event, read);
      resolve(part);
    };
    const read = () => {
      const part: Buffer | null = socket.read();
      if (part !== null) settle(part);
      else if (socket.destroyed || socket.readableEnded) settle(undefined);
    };
    for (const event of ["readable", "end", "close"]) socket.on(event, read);
    read();
  });
}
