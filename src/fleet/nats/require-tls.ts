import { connect } from "node:net";
import { CodexError } from "../../protocol/error.js";

/**
 * Throws if a server does not offer TLS.
 *
 * The client library would go on without it, and send the credentials as plain text.
 */
export async function requireTls({ protocol, hostname, port, host }: URL): Promise<void> {
  const greeting = await readGreeting(hostname, Number(port || 4222));
  // The server, or its absence, is reported by the connection itself.
  if (greeting === undefined || /"tls_(required|available)":\s*true/.test(greeting)) return;
  throw new CodexError(
    "config",
    `The broker at ${protocol}//${host} does not offer TLS; configure its certificate, or use nats://`,
  );
}

/** Reads the first line of a server; undefined if there is none within 3 s. */
function readGreeting(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect({ host: host.replace(/^\[(.*)\]$/, "$1"), port });
    const end = (greeting?: string) => {
      socket.destroy();
      resolve(greeting);
    };
    socket.setTimeout(3_000, () => end());
    socket.on("error", () => end());
    socket.on("close", () => end());
    socket.on("data", (bytes) => {
      text += bytes;
      if (text.includes("\r\n") || text.length > 65_536) end(text);
    });
  });
}
