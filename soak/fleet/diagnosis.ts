import { cpSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FleetProcesses } from "../../test/support/fleet-processes.js";
import type { NatsServer } from "../../test/support/nats-server.js";
import type { GatewayClient } from "./gateway-client.js";
import type { ThreadWatch } from "./thread-watch.js";

/**
 * Gathers what is needed to find the cause of a failure: the output of all processes, the store of the broker, and the logs
 * of the threads.
 */
export class Diagnosis {
  readonly #nats: NatsServer;
  readonly #fleet: FleetProcesses;
  readonly #threads = new Map<string, { log: string; told: string; turns: readonly string[] }>();

  constructor(nats: NatsServer, fleet: FleetProcesses) {
    this.#nats = nats;
    this.#fleet = fleet;
  }

  /** Adds a thread with a problem, as it is now; a few are enough. */
  addThread({ threadId, text, submitted }: ThreadWatch, client?: GatewayClient): void {
    if (this.#threads.size === mostThreads && !this.#threads.has(threadId)) return;
    const told = client?.numbered.map((one) => `${JSON.stringify(one)}\n`).join("") ?? "";
    this.#threads.set(threadId, { log: text, told, turns: submitted });
  }

  /** Writes everything to a folder that stays, and returns its path. */
  save(problems: readonly string[]): string {
    const folder = mkdtempSync(join(tmpdir(), "quire-fleet-soak-"));
    writeFileSync(join(folder, "problems.txt"), `${problems.join("\n")}\n`);
    cpSync(this.#fleet.logs, join(folder, "processes"), { recursive: true });
    const broker = join(this.#nats.folder, "nats.log");
    if (existsSync(broker)) cpSync(broker, join(folder, "nats.log"));
    const store = join(this.#nats.folder, "store");
    if (existsSync(store)) cpSync(store, join(folder, "store"), { recursive: true });
    for (const [threadId, { log, told, turns }] of this.#threads) {
      const own = join(folder, threadId);
      mkdirSync(own);
      writeFileSync(join(own, "log.jsonl"), log);
      writeFileSync(join(own, "client.jsonl"), told);
      writeFileSync(join(own, "turns.txt"), `${turns.join("\n")}\n`);
    }
    return folder;
  }
}

const mostThreads = 20;
