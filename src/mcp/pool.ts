import type { ConnectionParts } from "./connection.js";
import type { McpServerConfig } from "./server-config.js";
import { type Member, SharedServer } from "./shared-server.js";
import { LiveProcesses } from "./stdio/process.js";

/** What the servers of a process are given. */
export interface McpServerPoolOptions extends Omit<ConnectionParts, "live"> {
  /** How long a server that nobody uses any more waits for someone; by default it ends at once. */
  idleMs?: number;
}

/** The use of a server; it must be given back. */
export interface Lease {
  server: SharedServer;
  /** Resolves when the server has ended, if nobody else uses it. */
  release(): Promise<void>;
}

interface Entry {
  server: SharedServer;
  users: number;
  idle?: NodeJS.Timeout;
}

/** The servers of a process: one for each config, however many sessions use it. */
export class McpServerPool {
  readonly #parts: ConnectionParts;
  readonly #idleMs: number;
  readonly #entries = new Map<string, Entry>();

  constructor({ idleMs = 0, ...parts }: McpServerPoolOptions) {
    this.#parts = { ...parts, live: new LiveProcesses() };
    this.#idleMs = idleMs;
  }

  /** Gives the use of a server, which is started with the first use. */
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

  /** Ends all servers, whoever still uses them. */
  async close(): Promise<void> {
    const entries = [...this.#entries];
    await Promise.all(entries.map(([key, entry]) => this.#end(key, entry)));
  }

  #create(key: string, name: string, config: McpServerConfig): Entry {
    const entry: Entry = { server: new SharedServer(name, config, this.#parts), users: 0 };
    this.#entries.set(key, entry);
    // The next one to come is not to share a failure that may have passed.
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

/** Two configs are the same server when it would be started or reached in the same way. */
function keyOf(name: string, { transport, startup_timeout_ms }: McpServerConfig): string {
  return JSON.stringify([name, startup_timeout_ms, inOrder(transport)]);
}

function inOrder(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return fields.map(([name, field]) => [name, inOrder(field)]);
}
