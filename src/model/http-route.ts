import { readFileSync } from "node:fs";
import type { Agent, AgentOptions, ClientRequest, RequestOptions } from "node:http";
import { errorText } from "../lib/errors.js";
import type { Environment } from "./request-target.js";

/** Connection settings and addressing for a server. */
export interface Route {
  request: (options: RequestOptions) => ClientRequest;
  agent: Agent;
  /** Host to connect to and path to request. */
  target: RequestOptions;
  /** Headers required by the route, such as proxy credentials. */
  headers: Record<string, string>;
  statusNames: Readonly<Record<number, string | undefined>>;
  /** True if a proxy forwards each request, so that no other protocol can be spoken. */
  isForwarded?: boolean;
}

const agentOptions: AgentOptions = { keepAlive: true, timeout: 60_000 };

/** Determines the route to a URL; loads only the modules that it needs. */
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

/** An unencrypted request is sent to the proxy with the whole URL as its path. */
async function viaProxy(
  url: URL,
  proxy: URL,
): Promise<Pick<Route, "request" | "agent" | "target" | "headers" | "isForwarded">> {
  const secure = proxy.protocol === "https:";
  const { Agent, request } = secure ? await import("node:https") : await import("node:http");
  const authorization = proxyAuthorization(proxy);
  return {
    isForwarded: true,
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

/**
 * Returns the proxy that the environment configures for a URL, or `undefined`.
 *
 * Loopback addresses never use a proxy: it could not reach a model on this machine.
 */
export function proxyFor(url: URL, env: Environment): URL | undefined {
  const own = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const text = variable(env, own) ?? variable(env, "ALL_PROXY");
  if (text === undefined || isLoopback(url.hostname) || isExempt(url, env)) return undefined;
  const proxy = text.includes("://") ? text : `http://${text}`;
  if (!URL.canParse(proxy)) throw new Error(`${own} is not a valid URL: ${text}`);
  const parsed = new URL(proxy);
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:") {
    throw new Error(`${own} must be an http:// or https:// URL (got ${parsed.protocol}//)`);
  }
  return parsed;
}

/** Returns the `proxy-authorization` header for a proxy URL with credentials. */
export function proxyAuthorization(proxy: URL): string | undefined {
  if (proxy.username === "") return undefined;
  const login = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return `Basic ${Buffer.from(login).toString("base64")}`;
}

/** Both spellings are in use; lower case takes precedence, as in other programs. */
function variable(env: Environment, name: string): string | undefined {
  return env[name.toLowerCase()]?.trim() || env[name]?.trim() || undefined;
}

function isLoopback(host: string): boolean {
  return (
    host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127\./.test(host)
  );
}

/** Returns true if `NO_PROXY` names the host, a parent domain, or everything. */
function isExempt(url: URL, env: Environment): boolean {
  const host = url.hostname.toLowerCase();
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return (variable(env, "NO_PROXY") ?? "").split(",").some((entry) => {
    const [, name = "", only] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry.trim().toLowerCase()) ?? [];
    if (entry.trim() === "*") return true;
    if (name === "" || (only !== undefined && only !== port)) return false;
    return host === name || host.endsWith(`.${name}`);
  });
}

/**
 * Reads the certificates that replace the built-in ones, if the environment names some.
 *
 * `SSL_CERT_FILE` replaces the built-in list, as in other programs. Node adds `NODE_EXTRA_CA_CERTS`
 * only to its own list, so it is added here too.
 */
function readTrustedCertificates(env: Environment): string[] | undefined {
  const file = env.SSL_CERT_FILE?.trim();
  if (!file) return undefined;
  const extra = env.NODE_EXTRA_CA_CERTS?.trim();
  return [readCertificates("SSL_CERT_FILE", file)].concat(
    extra ? readCertificates("NODE_EXTRA_CA_CERTS", extra) : [],
  );
}

function readCertificates(variable: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const reason = errorText(cause);
    throw new Error(`cannot read the file in ${variable}: ${reason}`, { cause });
  }
}
