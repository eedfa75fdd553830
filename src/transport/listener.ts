import type { Readable, Writable } from "node:stream";
import type { Transport } from "./address.js";
import type { Channel } from "./channel.js";
import type { IpcProcess } from "./ipc-messages.js";
import type { ServerToken } from "./token.js";

/** Options for `listen`: access rules, and the callback for accepted connections. */
export interface ListenOptions {
  /** Called for each accepted connection. The callee closes the channel. */
  onConnection(channel: Channel, info: ConnectionInfo): void;
  /** Token that clients must present; required off the loopback interface. */
  token?: ServerToken;
  /** Accepted `Origin` headers; by default only programs may connect, no pages. */
  allowOrigins?: readonly string[];
  /** Accepted host names, without a port, besides those of loopback. */
  allowHosts?: readonly string[];
  /** Certificate and key; enables TLS on network transports. */
  tls?: ServerTls;
  /** Serves a page and its paired devices too; only for `ws`, and instead of a token. */
  web?: WebOptions;
  /** Limit of open connections; default: 4096. */
  maxConnections?: number;
  /** Returns false while the server ends; `/readyz` then answers with 503. */
  isReady?: () => boolean;
  /** Returns the metrics for `/metrics`, in the text format of Prometheus. */
  metrics?: () => Promise<string>;
  /** Streams used for `stdio://`. */
  stdio?: { input: Readable; output: Writable };
  /** Process whose IPC channel is used for `ipc://`; default: this process. */
  ipc?: IpcProcess;
  /** Closes the listener. */
  signal?: AbortSignal;
}

/** The page of a listener, and the devices that may use it. */
export interface WebOptions {
  /** Directory with the files of the page. */
  files: string;
  /** Directory of the paired devices and pairing codes. */
  store: string;
  /** Listens without TLS on addresses that other machines can reach. */
  plainHttp?: boolean;
}

/** Certificate and private key of a server, as PEM. */
export interface ServerTls {
  /** The certificate and its chain, as PEM. */
  cert: string;
  /** The private key, as PEM. */
  key: string;
}

/** Origin of a connection. */
export interface ConnectionInfo {
  /** The transport that the connection uses. */
  transport: Transport;
  /** Address of the client, if the transport has one. */
  remote: string | undefined;
}

/** A server that accepts connections until it is closed. */
export interface Listener {
  /** Address to connect to, with the actual port if 0 was requested. */
  readonly url: string;
  /** True if connections use TLS. */
  readonly isEncrypted: boolean;
  /** Stops accepting, closes all connections, and resolves when they are closed. */
  close(): Promise<void>;
}
