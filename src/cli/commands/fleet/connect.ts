import type { Config } from "../../../config/index.js";
import type { Broker } from "../../../fleet/index.js";
import type { CommandIo } from "../../command.js";
import { UsageError } from "../../exit-codes.js";
import { visible } from "../../print.js";

/** Options of all commands that connect to a broker. */
export const brokerOptions = {
  nats: {
    type: "string",
    value: "URL",
    help: "Broker of the fleet: nats://HOST:4222, or several servers of a cluster with commas",
  },
} as const;

/** Values of {@link brokerOptions}. */
export interface BrokerValues {
  nats?: string | undefined;
}

/** Opens the broker that the options name, and returns it with the settings of the user. The caller closes it. */
export async function connectBroker(
  { nats }: BrokerValues,
  io: CommandIo,
): Promise<{ broker: Broker; config: Config }> {
  if (nats === undefined) {
    throw new UsageError("Expected --nats URL, such as --nats nats://127.0.0.1:4222");
  }
  const [{ openBroker, readBrokerOptions }, { loadConfig }] = await Promise.all([
    import("../../../fleet/index.js"),
    import("../../../config/index.js"),
  ]);
  const config = await loadConfig(io);
  const broker = await openBroker(nats, {
    ...readBrokerOptions(config.settings.fleet, io.env),
    onWarning: (text) => io.stderr.write(`${visible(text)}\n`),
  });
  return { broker, config };
}

/** Runs some work with the broker that the options name, and closes it. */
export async function withBroker<Result>(
  values: BrokerValues,
  io: CommandIo,
  work: (broker: Broker) => Promise<Result>,
): Promise<Result> {
  const { broker } = await connectBroker(values, io);
  try {
    return await work(broker);
  } finally {
    await broker.close();
  }
}
