import { CodexError } from "../protocol/error.js";
import type { Broker } from "./broker.js";
import { type BrokerOptions, withoutIdentity } from "./connection-options.js";

/**
 * Opens the broker at an address: `nats://HOST:PORT`, with the further servers of a cluster behind commas, `file:///FOLDER` for
 * the processes of one machine, or `memory:`, which is new and private to the caller.
 *
 * Throws if no broker answers.
 */
export async function openBroker(url: string, options: BrokerOptions = {}): Promise<Broker> {
  checkTenant(options.tenant);
  if (url === "memory:") {
    const { MemoryStore } = await import("./memory/index.js");
    return new MemoryStore().connect();
  }
  if (url.startsWith("file:///")) {
    const [{ openFiles }, { fileURLToPath }] = await Promise.all([
      import("./files/index.js"),
      import("node:url"),
    ]);
    return openFiles(fileURLToPath(url), options);
  }
  if (isServerList(url)) {
    const { openNats } = await import("./nats/index.js");
    return openNats(url, options);
  }
  throw new CodexError(
    "config",
    `Expected the address of a broker, such as nats://127.0.0.1:4222 (got "${withoutIdentity(url)}")`,
  );
}

/** Returns true for `nats://HOST:PORT`, and for several servers of one kind. */
function isServerList(url: string): boolean {
  const [first = "", ...others] = url.split(",");
  const kind = /^(nats|tls):\/\//.exec(first)?.[0];
  if (kind === undefined) return false;
  const all = [first, ...others.map((other) => (other.includes("://") ? other : kind + other))];
  return all.every(
    (one) => one.startsWith(kind) && /^\w+:\/\/[^/?#\s]+\/?$/.test(one) && URL.canParse(one),
  );
}

function checkTenant(tenant: string | undefined): void {
  if (tenant === undefined || /^[A-Za-z0-9-]{1,64}$/.test(tenant)) return;
  throw new CodexError(
    "config",
    `Expected fleet.tenant to have 1 to 64 letters, digits and "-" (got "${tenant}")`,
  );
}
