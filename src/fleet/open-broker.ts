import { CodexError } from "../protocol/error.js";
import type { Broker } from "./broker.js";

/** Opens the broker at an address: `memory:`, which is new and private to the caller. */
export async function openBroker(url: string): Promise<Broker> {
  if (url === "memory:") {
    const { MemoryStore } = await import("./memory/index.js");
    return new MemoryStore().connect();
  }
  throw new CodexError(
    "config",
    `Expected the address of a broker, such as memory: (got "${url}")`,
  );
}
