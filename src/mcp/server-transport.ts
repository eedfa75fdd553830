import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

/** A way to speak with a server that can also say what became of it. */
export interface ServerTransport extends Transport {
  /** Does what can be done before anyone listens; `start` waits for it. */
  prepare?(): void;
  /** Why the server is gone, in words for the user; nothing while it is there. */
  readonly endReason: string | undefined;
  /** What an error of its own means, in such words; nothing for errors of others. */
  describe?(error: unknown): string | undefined;
  /** Whether the server no longer knows us, so that we have to start again. */
  isSessionLost?(error: unknown): boolean;
}
