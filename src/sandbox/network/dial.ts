import { lookup } from "node:dns/promises";
import { connect, type Socket } from "node:net";
import { errorText } from "../../lib/errors.js";
import type { NetworkRules } from "../../protocol/permission-rules.js";
import { type DenialCause, decideAddress, decideConnection } from "./decide.js";
import { parseHost } from "./host.js";

/** A host and port that a client asks for, as the client spelled the host. */
export interface Target {
  host: string;
  port: number;
}

/** Resolves a name to its addresses. */
export type ResolveHost = (name: string) => Promise<readonly string[]>;

/** Why there is no connection: the rules deny it, or the network failed. */
export type NoConnection =
  | { status: "denied"; cause: DenialCause; reason: string }
  | { status: "failed"; reason: string };

/**
 * Connects to a target if the rules permit it.
 *
 * The name is resolved once, here, and the connection is made to an address that was checked: a
 * name that resolves to another address the next time gains nothing.
 */
export async function dial(
  rules: NetworkRules,
  { host, port }: Target,
  resolveHost: ResolveHost = resolveBySystem,
): Promise<Socket | NoConnection> {
  const decision = decideConnection(rules, host, port);
  if (!decision.allowed) return { status: "denied", ...decision };
  const parsed = parseHost(host);
  const name = parsed?.text ?? host;
  let addresses: readonly string[];
  try {
    addresses = parsed?.isAddress ? [name] : await withTimeout(resolveHost(name), resolveTimeout);
  } catch (error) {
    return { status: "failed", reason: `${host} could not be resolved: ${errorText(error)}` };
  }
  const decisions = addresses.map((address) => ({
    address,
    ...decideAddress(rules, host, address),
  }));
  const permitted = decisions.filter(({ allowed }) => allowed).slice(0, mostAddresses);
  const [refused] = decisions;
  if (permitted.length === 0 && refused?.allowed === false) return { status: "denied", ...refused };
  let reason = `${host} has no address`;
  for (const { address } of permitted) {
    const socket = await connectTo(address, port);
    if (typeof socket !== "string") return socket;
    reason = `${host}:${port} (${address}) could not be reached: ${socket}`;
  }
  return { status: "failed", reason };
}

const resolveTimeout = 10_000;
const connectTimeout = 15_000;
const mostAddresses = 4;

async function resolveBySystem(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true });
  return found.map(({ address }) => address);
}

async function withTimeout<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("timed out")), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the connected socket, or the reason of the failure. */
function connectTo(host: string, port: number): Promise<Socket | string> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, allowHalfOpen: true, noDelay: true });
    const fail = (reason: string) => {
      socket.destroy();
      resolve(reason);
    };
    socket.setTimeout(connectTimeout, () => fail("timed out"));
    socket.once("error", (error) => fail(errorText(error)));
    socket.once("connect", () => {
      socket.setTimeout(0).removeAllListeners("timeout");
      // The user of the socket learns of errors from its `close` event.
      socket.on("error", () => {});
      resolve(socket);
    });
  });
}
