import { CodexError } from "../protocol/error.js";
import type { Broker } from "./broker.js";
import { type BrokerOptions, withoutIdentity } from "./connection-options.js";

/**
 * Opens the broker at an address: `nats://HOST:PORT`, `file:///FOLDER` for the processes of one machine, or `memory:`,
 * which is new and private to the caller.
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
  if (/^(nats|tls):\/\/[^/?#]+\/?$/.test(url)) {
    const { openNats } = await import("./nats/index.js");
    return openNats(url, options);
  }
  throw new CodexError(
    "config",
    `Expected the address of a broker, such as nats://127.0.0.1:4222 (got "${withoutIdentity(url)}")`,
  );
}

function checkTenant(tenant: string | undefined): void {
  if (tenant === undefined || /^[A-Za-z0-9-]{1,64}$/.test(tenant)) return;
  throw new CodexError(
    "config",
    `Expected fleet.tenant to have 1 to 64 letters, digits and "-" (got "${tenant}")`,
  );
}
