import { withProgramName } from "../../lib/program-name.js";
import { type Command, defineCommand } from "../command.js";
import { exitCodes } from "../exit-codes.js";
import { commandText } from "../help.js";

/** Runs threads on many machines, and shows what runs there. */
export const fleet: Command = defineCommand({
  name: "fleet",
  summary: "Run threads on many machines",
  verbs: [
    {
      name: "gateway",
      summary: "Serve the threads of a fleet to clients",
      load: async () => (await import("./fleet/gateway.js")).fleetGateway,
    },
    {
      name: "ps",
      summary: "List workers and threads",
      load: async () => (await import("./fleet/ps.js")).fleetPs,
    },
    {
      name: "submit",
      summary: "Send a message to a thread",
      load: async () => (await import("./fleet/submit.js")).fleetSubmit,
    },
    {
      name: "logs",
      summary: "Print the durable events of a thread",
      load: async () => (await import("./fleet/logs.js")).fleetLogs,
    },
    {
      name: "drain",
      summary: "Let a worker end or hand over its threads, then exit",
      load: async () => (await import("./fleet/drain.js")).fleetDrain,
    },
    {
      name: "doctor",
      summary: "Diagnose the broker, workers and threads",
      load: async () => (await import("./fleet/doctor.js")).fleetDoctor,
    },
    {
      name: "simulate",
      summary: "Simulate a fleet and print what it needs",
      load: async () => (await import("./fleet/simulate.js")).fleetSimulate,
    },
    {
      name: "worker",
      summary: "Run threads of a fleet on this machine",
      load: async () => (await import("./fleet/worker.js")).fleetWorker,
    },
  ],
  options: {},
  async run(_input, io) {
    io.stderr.write(withProgramName(commandText(fleet)));
    return exitCodes.usage;
  },
});
