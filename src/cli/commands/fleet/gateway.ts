import { programName } from "../../../lib/program-name.js";
import { defineCommand } from "../../command.js";
import { exitCodes, UsageError } from "../../exit-codes.js";
import { requireEra } from "../../identity.js";
import { listenOptions } from "../../options/listen-options.js";
import { explained, toListening } from "../../options/listening.js";
import { brokerOptions, connectBroker } from "./connect.js";

/** Serves the threads of a fleet to clients. */
export const fleetGateway = defineCommand({
  name: "fleet gateway",
  summary: "Serve the threads of a fleet to clients",
  mostOperands: 0,
  options: {
    ...brokerOptions,
    pool: {
      type: "string",
      value: "NAME",
      default: "default",
      help: "Start threads in this pool of workers",
    },
    name: { type: "string", value: "NAME", help: "Name of the gateway in the log" },
    surface: {
      type: "string",
      choices: ["app-server", "mcp", "acp", "proto"],
      default: "app-server",
      help: "Protocol of the clients",
    },
    ...listenOptions,
  },
  details: [
    "Clients speak to a gateway as to an app-server; every gateway offers every thread. A gateway runs",
    "no commands and stores nothing, so any number of them may start and end at any time.",
  ].join("\n"),
  async run({ values }, io) {
    const era = requireEra(io.env);
    if (!era.since.current) {
      throw new UsageError(`A gateway has the newest format only: unset QUIRE_ERA (${era.name})`);
    }
    const { url, access } = await toListening(values, io);
    const { broker, config } = await connectBroker(values, io);
    const [{ serveListener }, { createGateway }, serve] = await Promise.all([
      import("../../../server/serve.js"),
      import("../../../fleet/gateway/index.js"),
      surfaces[values.surface as keyof typeof surfaces](),
    ]);
    const { pool, name } = values;
    const { env } = io;
    const named = name === undefined ? {} : { name };
    const warn = (text: string) => io.stderr.write(`${programName()}: ${text}\n`);
    const host = await createGateway({ broker, pool, env, era, config, warn, ...named });
    const onListening = (listener: { url: string }) => {
      if (url.startsWith("stdio:") || url.startsWith("ipc:")) return;
      const line = `listening on ${listener.url}\n`;
      io.stdout.write(line);
      io.stderr.write(`${programName()}: ${line}`); // where an app-server prints it
    };
    await explained(() => serveListener({ ...io, era, url, access, host, serve, onListening }));
    return exitCodes.ok;
  },
});

/** Loads what serves a client, by the name of its protocol. */
const surfaces = {
  "app-server": async () => (await import("../../../server/app-server.js")).serveAppServer,
  acp: async () => (await import("../acp.js")).loadAcp(),
  mcp: async () => (await import("../../../server/mcp/serve.js")).serveMcp,
  proto: async () => (await import("../../../fleet/gateway/index.js")).serveFleetQueues,
};
