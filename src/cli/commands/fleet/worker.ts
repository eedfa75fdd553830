import { hostname } from "node:os";
import { withProgramName } from "../../../lib/program-name.js";
import { defineCommand } from "../../command.js";
import { exitCodes, UsageError } from "../../exit-codes.js";
import { requireEra } from "../../identity.js";
import { configOptions, toOverrides } from "../../options/config-options.js";
import { brokerOptions, connectBroker } from "./connect.js";

/** Runs threads of a fleet on this machine. */
export const fleetWorker = defineCommand({
  name: "fleet worker",
  summary: "Run threads of a fleet on this machine",
  mostOperands: 0,
  options: {
    ...brokerOptions,
    pool: { type: "string", value: "NAME", help: "Pool of workers to join" },
    "workspace-root": {
      type: "string",
      value: "DIR",
      help: "Folder of all working directories; the workers of a pool share it",
    },
    name: { type: "string", value: "NAME", help: "Name of the worker; default: host and process" },
    lease: {
      type: "string",
      value: "SECONDS",
      default: "10",
      help: "Time after which a lost worker is replaced; default: 10",
    },
    "max-threads": {
      type: "string",
      value: "N",
      default: "100",
      help: "Most threads at a time; default: 100",
    },
    ...configOptions,
  },
  details: [
    "Asks the model of the config in $CODEX_HOME. Prints `ready` when it takes threads. On SIGTERM it",
    "takes nothing new, hands its turns over between two commands, and exits with code 0.",
  ].join("\n"),
  async run({ values }, io) {
    const pool = nameOf("--pool", values.pool ?? missing("--pool NAME"));
    const root = values["workspace-root"] ?? missing("--workspace-root DIR");
    const name = nameOf("--name", values.name ?? `${safe(hostname())}-${process.pid}`);
    const leaseMs = 1000 * numberOf("--lease", values.lease, 0.2);
    const maxThreads = numberOf("--max-threads", values["max-threads"], 1);
    const flags = await toOverrides(values);
    const broker = await connectBroker(values, io);
    const print = (text: string) => io.stderr.write(withProgramName(`quire: ${text}\n`));
    try {
      const { runWorker } = await import("../../../fleet/worker/index.js");
      await runWorker({
        broker,
        name,
        pool,
        workspaceRoot: root,
        leaseMs,
        maxThreads,
        local: { env: io.env, flags, era: requireEra(io.env) },
        signal: io.signal,
        onReady: () => io.stdout.write(`ready: worker ${name} takes threads of pool ${pool}\n`),
        report: print,
      });
    } finally {
      await broker.close();
    }
    return exitCodes.ok;
  },
});

function missing(option: string): never {
  throw new UsageError(`Expected ${option}`);
}

function safe(name: string): string {
  return name.replace(/[^\w-]/g, "-");
}

/** Names are parts of the broker's subjects. */
function nameOf(option: string, name: string): string {
  if (/^[\w-]+$/.test(name)) return name;
  throw new UsageError(`Expected ${option} to have letters, digits, - and _ only (got "${name}")`);
}

function numberOf(option: string, text: string, least: number): number {
  const number = Number(text);
  if (text.trim() !== "" && number >= least && number < 1e6) return number;
  throw new UsageError(`Expected ${option} to be a number of at least ${least} (got "${text}")`);
}
