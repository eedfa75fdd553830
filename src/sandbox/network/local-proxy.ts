import { createServer } from "node:net";
import { randomUuid } from "../../lib/ids.js";
import { proxyVariables } from "./environment.js";
import { NetworkProxy, type ProxyOptions, proxyUser } from "./proxy.js";

/** A proxy at a port of this machine. */
export interface LocalProxy {
  port: number;
  /** Environment that makes programs use it. */
  variables: Record<string, string>;
  close(): void;
}

/**
 * Starts a proxy for one command, where commands have no network namespace of their own.
 *
 * Other programs of the machine can reach its port too, so it requires a password.
 */
export async function startLocalProxy(
  options: Pick<ProxyOptions, "rules" | "resolveHost">,
): Promise<LocalProxy> {
  const token = randomUuid();
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const proxy = new NetworkProxy({ ...options, token });
  proxy.serve(server);
  const url = `http://${proxyUser}:${token}@127.0.0.1:${port}`;
  return { port, variables: proxyVariables(url, options.rules), close: () => proxy.close() };
}
