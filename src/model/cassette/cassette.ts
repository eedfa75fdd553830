import type { ModelTransport } from "../transport.js";

/** The engine that a cassette serves. */
export interface CassetteHost {
  /** Its environment; the values of variables named like secrets are redacted. */
  env: Readonly<Record<string, string | undefined>>;
  /** The folder of its settings. */
  home: string;
  /** The working directory of its sessions. */
  cwd: string;
}

/**
 * A file with the traffic between an engine and its model: recorded, or replayed in place of the network.
 *
 * One engine at a time uses it; the creator of that engine closes it.
 */
export interface Cassette {
  /** Returns the transport of the engine; `network` is the one that it has without a cassette. */
  attach(network: ModelTransport, host: CassetteHost): ModelTransport;
  /** The first recorded request of a replay, which reaches no server and needs no login. */
  readonly replayed?: { api: string; model: string | undefined };
  /** Ends the use; a recording is complete only afterwards. */
  close(): Promise<void>;
}
