import { TransportError } from "./error.js";

/** Transports that an address can name. */
export type Transport = "stdio" | "ipc" | "unix" | "tcp" | "http" | "h2" | "grpc" | "ws";

/** A parsed address. */
export type Address =
  | { transport: "stdio" }
  | { transport: "ipc" }
  | { transport: "unix"; path: string; framing: "lines" | "websocket" }
  | NetworkAddress;

/** Address of a network transport, with or without TLS. */
export interface NetworkAddress {
  transport: "tcp" | "http" | "h2" | "grpc" | "ws";
  host: string;
  port: number;
  /** True if the scheme requires TLS. */
  secure: boolean;
}

/** Parses an address such as `unix:///run/quire.sock` or `ws://127.0.0.1:4500`. */
export function parseAddress(url: string): Address {
  const [, scheme, rest] = /^([a-z][a-z0-9+]*):\/\/(.*)$/is.exec(url) ?? [];
  if (scheme === undefined || rest === undefined) throw badUrl(url, expected);
  switch (scheme.toLowerCase()) {
    case "stdio":
      if (rest !== "") throw badUrl(url, "`stdio://` takes no path");
      return { transport: "stdio" };
    case "ipc":
      if (rest !== "") throw badUrl(url, "`ipc://` takes no path");
      return { transport: "ipc" };
    case "unix":
      return { transport: "unix", path: socketPath(url, rest), framing: "lines" };
    case "ws+unix":
      return { transport: "unix", path: socketPath(url, rest), framing: "websocket" };
  }
  const network = networkSchemes.get(scheme.toLowerCase());
  if (network === undefined) throw badUrl(url, expected);
  return { ...network, ...hostAndPort(url, rest) };
}

/** Formats an address so that `parseAddress` reads it back. */
export function formatAddress(address: Address): string {
  switch (address.transport) {
    case "stdio":
      return "stdio://";
    case "ipc":
      return "ipc://";
    case "unix":
      return `${address.framing === "lines" ? "unix" : "ws+unix"}://${address.path}`;
    default:
      return `${schemeOf(address)}://${authority(address.host, address.port)}`;
  }
}

/** Joins host and port; an IPv6 address is put in brackets. */
export function authority(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Returns true for loopback addresses and names. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "").toLowerCase();
  if (bare === "localhost" || bare === "::1") return true;
  const v4 = bare.replace(/^::ffff:/, "");
  return /^127(\.\d{1,3}){3}$/.test(v4);
}

const networkSchemes = new Map<string, Pick<NetworkAddress, "transport" | "secure">>([
  ["tcp", { transport: "tcp", secure: false }],
  ["tls", { transport: "tcp", secure: true }],
  ["http", { transport: "http", secure: false }],
  ["https", { transport: "http", secure: true }],
  ["h2", { transport: "h2", secure: false }],
  ["h2s", { transport: "h2", secure: true }],
  ["grpc", { transport: "grpc", secure: false }],
  ["grpcs", { transport: "grpc", secure: true }],
  ["ws", { transport: "ws", secure: false }],
  ["wss", { transport: "ws", secure: true }],
]);

function schemeOf({ transport, secure }: NetworkAddress): string {
  if (!secure) return transport;
  return transport === "tcp" ? "tls" : `${transport}s`;
}

function socketPath(url: string, path: string): string {
  if (path === "") throw badUrl(url, "the path of the socket is missing");
  if (path.includes("\0")) throw badUrl(url, "a path cannot contain a NUL byte");
  // Capacity of `sun_path`, without the terminating NUL.
  const limit = process.platform === "linux" ? 107 : 103;
  if (Buffer.byteLength(path) > limit) {
    throw badUrl(url, `the path of a socket has at most ${limit} bytes`);
  }
  return path;
}

function hostAndPort(url: string, rest: string): { host: string; port: number } {
  const [, bracketed, plain, digits] =
    /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+)):(\d{1,5})\/?$/i.exec(rest) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host === undefined || digits === undefined) {
    throw badUrl(url, "a host and a port are expected, such as 127.0.0.1:4500 or [::1]:4500");
  }
  if (port > 65535) throw badUrl(url, `${port} is not a port; the highest is 65535`);
  return { host, port };
}

function badUrl(url: string, problem: string): TransportError {
  return new TransportError("bad_url", `Bad address \`${url.slice(0, 200)}\`: ${problem}`);
}

const expected =
  "expected stdio://, ipc://, unix://PATH, or tcp, http, h2, grpc or ws://HOST:PORT (or tls, https, h2s, grpcs, wss)";
