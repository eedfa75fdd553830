import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../../config/index.js";
import { CodexError } from "../../protocol/error.js";
import {
  createLocalParts,
  type LocalOptions,
  Server,
  type ServerHost,
} from "../../server/index.js";
import type { Broker } from "../broker.js";
import { startTelemetry } from "../start-telemetry.js";
import { GatewayThreads } from "./threads.js";

/** Options of a gateway. */
export interface GatewayOptions extends Pick<LocalOptions, "env" | "era" | "host"> {
  /** The broker of the fleet; the gateway closes it. */
  broker: Broker;
  /** Pool that runs new threads. */
  pool: string;
  /** Name of the gateway in the log; defaults to the machine and the process. */
  name?: string;
  /** Time that a new thread waits for a worker. */
  startMs?: number;
  /** Settings of the user, for the telemetry of the gateway; off without them. */
  config?: Config;
  /** Called with mistakes in the variables of telemetry. */
  warn?(message: string): void;
}

/**
 * Creates a server for the threads of a fleet.
 *
 * It stores nothing that another gateway would need: its folder has copies of the rollouts of the threads in use, and is
 * deleted with it.
 */
export async function createGateway(options: GatewayOptions): Promise<ServerHost> {
  const { broker, pool, env, era, host, startMs, config, warn = () => {} } = options;
  if (!/^[\w-]+$/.test(pool)) {
    await broker.close();
    const message = `The name of a pool has letters, digits, - and _ only (got "${pool}")`;
    throw new CodexError("config", message);
  }
  const home = mkdtempSync(join(tmpdir(), "quire-gateway-"));
  writeFileSync(join(home, "config.toml"), ownConfig);
  const parts = createLocalParts({
    env: { ...env, CODEX_HOME: home },
    cwd: home,
    era,
    surface: "json-rpc",
    ...(host === undefined ? {} : { host }),
  });
  const telemetry = config && (await startTelemetry(parts.machine.telemetry, config, warn));
  const fleet = new GatewayThreads({
    broker,
    pool,
    gateway: options.name ?? `${hostname()}-${process.pid}`,
    home,
    telemetry,
    ...(startMs === undefined ? {} : { startMs }),
  });
  return {
    server: new Server(parts, undefined, fleet),
    parts,
    async close() {
      await parts.close();
      await broker.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Settings of a gateway: clients need no login, since only workers ask a model. */
const ownConfig = `model_provider = "fleet"

[model_providers.fleet]
name = "the provider of the worker"
base_url = "http://127.0.0.1:9"
`;
