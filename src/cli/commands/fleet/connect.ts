import type { Broker } from "../../../fleet/index.js";
import type { CommandIo } from "../../command.js";
import { UsageError } from "../../exit-codes.js";

/** Options of all commands that connect to a broker. */
export const brokerOptions = {
  nats: { type: "string", value: "URL", help: "Broker of the fleet, such as nats://HOST:4222" },
} as const;

/** Opens the broker that the options name. The caller closes it. */
export async function connectBroker(
  values: { nats?: string | undefined },
  _io: CommandIo,
): Promise<Broker> {
  if (values.nats === undefined) {
    throw new UsageError("Expected --nats URL, such as --nats nats://127.0.0.1:4222");
  }
  const { openBroker } = await import("../../../fleet/index.js");
  return openBroker(values.nats);
}
