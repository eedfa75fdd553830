import { type ClientRequestArgs, request as httpRequest } from "node:http";
import { Agent, type AgentOptions, request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type ConnectionOptions, connect } from "node:tls";
import { proxyAuthorization } from "./http-route.js";

/** Time limit for opening a tunnel. */
const tunnelLimitMs = 30_000;

/** Creates an agent whose connections are tunneled through a proxy. */
export function tunnelAgent(proxy: URL, options: AgentOptions): Agent {
  return new TunnelAgent(proxy, options);
}

class TunnelAgent extends Agent {
  #proxy: URL;
  #closing = new AbortController();

  constructor(proxy: URL, options: AgentOptions) {
    super(options);
    this.#proxy = proxy;
  }

  /** Called by Node for each new connection; responds through `callback`. */
  override createConnection(
    options: ClientRequestArgs & ConnectionOptions,
    callback?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const target = `${options.host}:${options.port}`;
    openTunnel(this.#proxy, target, this.#closing.signal).then(
      (socket) => callback?.(null, connect({ ...options, socket })),
      // Node uses the socket only if there is no error.
      (error: Error) => callback?.(error, undefined as never),
    );
  }

  override destroy(): void {
    this.#closing.abort();
    super.destroy();
  }
}

function openTunnel(proxy: URL, target: string, signal: AbortSignal): Promise<Socket> {
  const request = proxy.protocol === "https:" ? httpsRequest : httpRequest;
  const authorization = proxyAuthorization(proxy);
  return new Promise((resolve, reject) => {
    const connecting = request({
      hostname: proxy.hostname.replace(/^\[|\]$/g, ""),
      port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
      method: "CONNECT",
      path: target,
      agent: false,
      signal,
      headers: {
        host: target,
        ...(authorization === undefined ? undefined : { "proxy-authorization": authorization }),
      },
    });
    connecting.setTimeout(tunnelLimitMs, () => {
      connecting.destroy(new Error(`the proxy ${proxy.host} did not answer`));
    });
    connecting.once("error", reject);
    connecting.once("connect", (answer, socket) => {
      if (answer.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(
        new Error(
          `the proxy ${proxy.host} refused a tunnel to ${target}: ${answer.statusCode} ${answer.statusMessage}`,
        ),
      );
    });
    connecting.end();
  });
}
