import { hostname, networkInterfaces } from "node:os";
import { isLoopback } from "../address.js";

/** Address of a web listener, as browsers may name it. */
export interface OwnAddress {
  /** Host that the listener was started with. */
  host: string;
  /** Bound port; known once the server listens. */
  port(): number;
  secure: boolean;
  /** Additional host names, on any port: those of a proxy. */
  allowHosts: readonly string[];
}

/**
 * Returns true if a `Host` header names this server.
 *
 * A page whose name was rebound to our address still sends that name, so names are refused unless
 * they are our own.
 */
export function isOwnHost(host: string | undefined, own: OwnAddress): boolean {
  const named = parse(host ?? "", own.secure ? "https:" : "http:");
  if (named === undefined) return false;
  if (own.allowHosts.some((name) => name.toLowerCase() === named.host)) return true;
  return named.port === own.port() && isOwnName(named.host, own.host.toLowerCase());
}

/** Returns true if an `Origin` header is a page of this server. */
export function isOwnOrigin(origin: string, own: OwnAddress): boolean {
  const [, scheme = "", host = ""] = /^(https?:)\/\/([^/]+)$/i.exec(origin) ?? [];
  const named = parse(host, scheme.toLowerCase());
  if (named === undefined) return false;
  // A proxy in front of us may speak TLS.
  if (own.allowHosts.some((name) => name.toLowerCase() === named.host)) return true;
  return scheme.toLowerCase() === (own.secure ? "https:" : "http:") && isOwnHost(host, own);
}

/** Returns the host that a browser of another machine can use, for a listener on all addresses. */
export function shownHost(host: string): string {
  if (!isWildcard(host)) return host;
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const family = host === "0.0.0.0" ? "IPv4" : undefined;
  const found = addresses.find(
    (one) => !one.internal && (family === undefined || one.family === family),
  );
  return found?.address ?? "127.0.0.1";
}

function isOwnName(name: string, listening: string): boolean {
  if (name === listening) return true;
  if (isLoopback(name)) return isLoopback(listening) || isWildcard(listening);
  if (!isWildcard(listening)) return false;
  const machine = hostname().toLowerCase();
  if (name === machine || name === `${machine}.local`) return true;
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.some(({ address }) => address.toLowerCase() === name);
}

function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

/** Splits a host and an optional port; brackets around an IPv6 address are removed. */
function parse(text: string, scheme: string): { host: string; port: number } | undefined {
  const [, v6, plain, digits] =
    /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const host = (v6 ?? plain)?.toLowerCase();
  if (host === undefined) return undefined;
  return { host, port: digits === undefined ? (scheme === "https:" ? 443 : 80) : Number(digits) };
}
