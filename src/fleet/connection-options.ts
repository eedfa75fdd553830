/** Options for the connection to a broker. */
export interface BrokerOptions {
  /** Separates fleets that share a server; default: `default`. */
  tenant?: string;
  /** Copies of each stream in a cluster; default: 1. */
  replicas?: number;
  /** Identity at the broker; at most one kind. */
  identity?: BrokerIdentity;
  tls?: { caFile?: string; certFile?: string; keyFile?: string };
  /** Time to wait for a broker that does not answer; default: 5 s. */
  waitMs?: number;
  /** Called for messages that were skipped. */
  onWarning?(text: string): void;
}

/** Credentials for a broker. They are never printed or stored. */
export type BrokerIdentity =
  | { user: string; password: string }
  | { token: string }
  /** Text of a file with a JWT and a seed. */
  | { creds: string }
  /** Seed of an nkey. */
  | { nkey: string };

/** Removes users and passwords from an address. */
export function withoutIdentity(url: string): string {
  return url
    .split(",")
    .map((server) => server.replace(/^([a-z]+:\/\/)?[^/]*@/i, "$1"))
    .join(",");
}

/** Returns the servers of an address, each with its scheme. */
export function serversOf(url: string): URL[] {
  const kind = url.slice(0, url.indexOf("//") + 2);
  return url
    .split(",")
    .map((server) => new URL(server.includes("://") ? server : `${kind}${server}`));
}
