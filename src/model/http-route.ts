import type { Agent, AgentOptions, ClientRequest, RequestOptions } from "node:http";
import { readTrustedCertificates } from "./certificates.js";
import type { Environment } from "./choose-auth.js";
import { proxyAuthorization, proxyFor } from "./proxy.js";

/** The way to a server: through which connections, and how a request is addressed. */
export interface Route {
  request: (options: RequestOptions) => ClientRequest;
  agent: Agent;
  /** Where to connect and which path to ask for. */
  target: RequestOptions;
  /** Headers that the way itself needs. */
  headers: Record<string, string>;
  statusNames: Readonly<Record<number, string | undefined>>;
}

const agentOptions: AgentOptions = { keepAlive: true, timeout: 60_000 };

/** Finds the way to a URL; loads only the modules that it needs. */
export async function findRoute(url: URL, env: Environment): Promise<Route> {
  const http = await import("node:http");
  const proxy = proxyFor(url, env);
  const common = { headers: {}, statusNames: http.STATUS_CODES };
  if (url.protocol === "https:") {
    const https = await import("node:https");
    const ca = readTrustedCertificates(env);
    const options = ca === undefined ? agentOptions : { ...agentOptions, ca };
    const agent =
      proxy === undefined
        ? new https.Agent(options)
        : await import("./tunnel.js").then(({ tunnelAgent }) => tunnelAgent(proxy, options));
    return { ...common, request: https.request, agent, target: targetOf(url) };
  }
  const agent = new http.Agent(agentOptions);
  if (proxy === undefined)
    return { ...common, request: http.request, agent, target: targetOf(url) };
  return { ...common, ...(await viaProxy(url, proxy)) };
}

/** A plain request goes to the proxy with the whole URL as its path. */
async function viaProxy(
  url: URL,
  proxy: URL,
): Promise<Pick<Route, "request" | "agent" | "target" | "headers">> {
  const secure = proxy.protocol === "https:";
  const { Agent, request } = secure ? await import("node:https") : await import("node:http");
  const authorization = proxyAuthorization(proxy);
  return {
    request,
    agent: new Agent(agentOptions),
    target: { ...targetOf(proxy), path: url.href },
    headers: {
      host: url.host,
      ...(authorization === undefined ? undefined : { "proxy-authorization": authorization }),
    },
  };
}

function targetOf(url: URL): RequestOptions {
  return {
    protocol: url.protocol,
    // Brackets belong to the URL, not to an IPv6 address.
    hostname: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port || (url.protocol === "https:" ? 443 : 80),
    path: `${url.pathname}${url.search}`,
  };
}
