import type { Socket } from "node:net";
import type { NoConnection, Target } from "./dial.js";
import { nextPart } from "./tunnel.js";

/** Options for `serveSocks`. */
interface SocksOptions {
  /** Checks a user name and password; absent: none are asked for. */
  isAuthorized?: ((user: string, password: string) => boolean) | undefined;
  connect(target: Target): Promise<Socket | NoConnection>;
  /** Takes over both sockets. */
  join(client: Socket, upstream: Socket, target: Target): void;
}

/** Serves one SOCKS5 connection. Closes it if the client does not keep to the protocol. */
export async function serveSocks(client: Socket, options: SocksOptions): Promise<void> {
  try {
    const reader = new SocketReader(client);
    if (!(await authenticate(reader, client, options.isAuthorized))) return;
    const request = await readRequest(reader);
    if (typeof request === "number") return void client.end(replyOf(request));
    const upstream = await options.connect(request);
    if ("status" in upstream) {
      client.end(replyOf(upstream.status === "denied" ? replies.denied : replies.unreachable));
      return;
    }
    if (client.destroyed) return void upstream.destroy();
    client.write(replyOf(replies.connected));
    options.join(client, upstream, request);
  } catch {
    client.destroy();
  }
}

const version = 5;
const methods = { none: 0, password: 2, unacceptable: 0xff };
const replies = { connected: 0, denied: 2, unreachable: 4, badCommand: 7, badAddress: 8 };
const connectCommand = 1;
const addressTypes = { ipv4: 1, name: 3, ipv6: 4 };

/** The bound address in a reply is not used by clients. */
function replyOf(code: number): Buffer {
  return Buffer.from([version, code, 0, addressTypes.ipv4, 0, 0, 0, 0, 0, 0]);
}

async function authenticate(
  reader: SocketReader,
  client: Socket,
  isAuthorized: SocksOptions["isAuthorized"],
): Promise<boolean> {
  await reader.take(1); // version
  const offered = await reader.take(await reader.byte());
  const method = isAuthorized === undefined ? methods.none : methods.password;
  if (!offered.includes(method)) {
    client.end(Buffer.from([version, methods.unacceptable]));
    return false;
  }
  client.write(Buffer.from([version, method]));
  if (isAuthorized === undefined) return true;
  const passwordVersion = await reader.byte();
  const user = (await reader.take(await reader.byte())).toString("utf8");
  const password = (await reader.take(await reader.byte())).toString("utf8");
  const isGood = isAuthorized(user, password);
  const answer = Buffer.from([passwordVersion, isGood ? 0 : 1]);
  if (isGood) client.write(answer);
  else client.end(answer);
  return isGood;
}

/** Returns the target, or the code of a refusal. */
async function readRequest(reader: SocketReader): Promise<Target | number> {
  const [, command, , type] = await reader.take(4);
  const host = await readAddress(reader, type ?? 0);
  if (host === undefined) return replies.badAddress;
  const port = (await reader.take(2)).readUInt16BE(0);
  return command === connectCommand ? { host, port } : replies.badCommand;
}

async function readAddress(reader: SocketReader, type: number): Promise<string | undefined> {
  if (type === addressTypes.name) {
    return (await reader.take(await reader.byte())).toString("utf8");
  }
  if (type === addressTypes.ipv4) return (await reader.take(4)).join(".");
  if (type !== addressTypes.ipv6) return undefined;
  const groups = (await reader.take(16)).toString("hex").match(/.{4}/g) ?? [];
  return groups.join(":");
}

/** Reads exact numbers of bytes; throws at the end of the input or after a pause. */
class SocketReader {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  async byte(): Promise<number> {
    return (await this.take(1))[0] ?? 0;
  }

  async take(length: number): Promise<Buffer> {
    let bytes = Buffer.alloc(0);
    while (bytes.length < length) {
      const part = await nextPart(this.#socket, longestPause);
      if (part === undefined) throw new Error("The client ended the connection");
      bytes = Buffer.concat([bytes, part]);
    }
    if (bytes.length > length) this.#socket.unshift(bytes.subarray(length));
    return bytes.subarray(0, length);
  }
}

const longestPause = 15_000;
