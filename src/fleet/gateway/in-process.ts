import { codexHome, loadConfig } from "../../config/index.js";
import type { LocalOptions } from "../../server/index.js";
import type { Channel } from "../../transport/index.js";
import { readBrokerOptions } from "../broker-options.js";
import { openBroker } from "../open-broker.js";
import { createGateway } from "./gateway.js";

/** A fleet, as programs name it that use its threads. */
export interface FleetAddress {
  /** Address of the broker, such as `nats://host:4222`. */
  url: string;
  /** Pool of workers that runs new threads; default: `default`. */
  pool?: string | undefined;
}

/**
 * Starts a gateway for one client in this process; returns the client's end of the channel.
 *
 * Closing it ends the gateway; the threads go on. Throws if no broker answers.
 */
export async function startInProcessGateway(
  { url, pool = defaultPool }: FleetAddress,
  options: Pick<LocalOptions, "env" | "era" | "host">,
): Promise<Channel> {
  const { env } = options;
  // A project cannot set `[fleet]`, so its folder does not matter.
  const config = await loadConfig({ env, cwd: codexHome(env) });
  const broker = await openBroker(url, readBrokerOptions(config.settings.fleet, env));
  const { serveInProcess } = await import("../../server/serve.js");
  return serveInProcess(await createGateway({ ...options, broker, pool, config }));
}

/** Pool that is used if none is named. */
export const defaultPool = "default";
