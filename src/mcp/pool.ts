import type { ConnectionParts } from "./connection.js";
import type { Member } from "./requests.js";
import type { McpServerConfig } from "./server-config.js";
import { SharedServer } from "./shared-server.js";
import { LiveProcesses } from "./stdio/process.js";

/** Options for the servers of a process. */
export interface McpServerPoolOptions extends Omit<ConnectionParts, "live"> {
  /** Delay before an unused server is stopped. Default: 0. */
  idleMs?: number;
}

/** Use of a shared server; must be released. */
export interface Lease {
  server: SharedServer;
  /** Resolves when the server has stopped, if this was its last user. */
  release(): Promise<void>;
}

interface Entry {
  server: SharedServer;
  users: number;
  idle?: NodeJS.Timeout;
}

/** Servers of a process: one per config, shared by all sessions. */
export class McpServerPool {
  readonly #parts: ConnectionParts;
  readonly #idleMs: number;
  readonly #entries = new Map<string, Entry>();

  constructor({ idleMs = 0, ...parts }: McpServerPoolOptions) {
    this.#parts = { ...parts, live: new LiveProcesses() };
    this.#idleMs = idleMs;
  }

  /** Leases a server, starting it on first use. */
  lease(name: string, config: McpServerConfig, member: Member): Lease {
    const key = keyOf(name, config);
    const entry = this.#entries.get(key) ?? this.#create(key, name, config);
    clearTimeout(entry.idle);
    entry.users++;
    entry.server.join(member);
    let released: Promise<void> | undefined;
    return {
      server: entry.server,
      release: () => {
        released ??= this.#release(key, entry, member);
        return released;
      },
    };
  }

  /** Stops all servers, even those in use. */
  async close(): Promise<void> {
    const entries = [...this.#entries];
    await Promise.all(entries.map(([key, entry]) => this.#end(key, entry)));
  }

  #create(key: string, name: string, config: McpServerConfig): Entry {
    const entry: Entry = { server: new SharedServer(name, config, this.#parts), users: 0 };
    this.#entries.set(key, entry);
    // The next session tries again instead of sharing an old failure.
    entry.server.start().catch(() => this.#forget(key, entry));
    return entry;
  }

  async #release(key: string, entry: Entry, member: Member): Promise<void> {
    entry.server.leave(member);
    entry.users--;
    if (entry.users > 0) return;
    if (this.#idleMs === 0) return this.#end(key, entry);
    entry.idle = setTimeout(() => void this.#end(key, entry), this.#idleMs);
  }

  #end(key: string, entry: Entry): Promise<void> {
    clearTimeout(entry.idle);
    this.#forget(key, entry);
    return entry.server.close();
  }

  #forget(key: string, entry: Entry): void {
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
  }
}

/** Configs are equal if the server would be started or reached in the same way. */
function keyOf(name: string, { transport, startup_timeout_ms }: McpServerConfig): string {
  return JSON.stringify([name, startup_timeout_ms, inOrder(transport)]);
}

function inOrder(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return fields.map(([name, field]) => [name, inOrder(field)]);
}
