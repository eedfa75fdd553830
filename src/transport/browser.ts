// Takes the place of `index.ts` and `connect.ts` in a page.
import { Queue } from "../lib/async.js";
import { type Channel, Malformed } from "./channel.js";
import { TransportError } from "./error.js";

export { Malformed } from "./channel.js";
export { TransportError } from "./error.js";
export { weigh } from "./inbox.js";

/** Connects a page to a WebSocket server. Rejects if it cannot be reached or refuses. */
export async function connect(
  url: string,
  { signal, token, tls }: { signal?: AbortSignal; token?: unknown; tls?: unknown } = {},
): Promise<Channel> {
  signal?.throwIfAborted();
  checkAddress(url);
  const refused = token !== undefined ? "token" : tls !== undefined ? "tls" : undefined;
  if (refused !== undefined) {
    throw new TransportError(
      "bad_url",
      `\`${refused}\` cannot be used in a page, whose WebSockets have no headers and the browser's certificates: let its origin in with \`--allow-origin\`, or pair it with \`quire web\``,
    );
  }
  const { WebSocket } = globalThis as unknown as { WebSocket: new (url: string) => PageSocket };
  const socket = new WebSocket(url);
  const incoming = new Queue<unknown>();
  let isConnected = false;
  await new Promise<void>((resolve, reject) => {
    const giveUp = () => socket.close();
    signal?.addEventListener("abort", giveUp, { once: true });
    socket.onopen = () => {
      isConnected = true;
      signal?.removeEventListener("abort", giveUp);
      resolve();
    };
    socket.onmessage = ({ data }) => incoming.push(parse(data));
    socket.onclose = () => {
      incoming.close();
      // A page does not get the reason.
      reject(new TransportError("unreachable", `Cannot connect to ${url}`));
    };
  });
  return channelOver(socket, incoming, () => isConnected);
}

function checkAddress(url: string): void {
  if (/^wss?:\/\//.test(url)) return;
  throw new TransportError(
    "bad_url",
    `Expected an address with ws:// or wss://, the only transport of a page (got ${url})`,
  );
}

/** The part of a browser's WebSocket that is used here. */
interface PageSocket {
  readonly readyState: number;
  readonly bufferedAmount: number;
  onopen: (() => void) | null;
  onclose: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  send(text: string): void;
  close(): void;
}

function channelOver(
  socket: PageSocket,
  incoming: Queue<unknown>,
  isConnected: () => boolean,
): Channel {
  const sendText = (json: string) => {
    if (socket.readyState === open) socket.send(json);
    return true;
  };
  const close = () => {
    socket.close();
    incoming.close();
  };
  return {
    incoming,
    takesValues: false,
    get isOpen() {
      return isConnected() && socket.readyState === open;
    },
    get backlog() {
      return socket.bufferedAmount;
    },
    send: (message) => sendText(JSON.stringify(message)),
    sendText,
    drained: async () => {},
    end: close,
    close: async () => close(),
    destroy: close,
  };
}

const open = 1;

function parse(data: unknown): unknown {
  try {
    return JSON.parse(String(data));
  } catch {
    return new Malformed("The server sent a message that is not JSON");
  }
}
