import { hostname } from "node:os";
import { withProgramName } from "../../../lib/program-name.js";
import { defineCommand } from "../../command.js";
import { exitCodes, UsageError } from "../../exit-codes.js";
import { requireEra } from "../../identity.js";
import { configOptions, toOverrides } from "../../options/config-options.js";
import { explained } from "../../options/listening.js";
import { requireEnforceable } from "../../user-config.js";
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
      help: "Folder of all working directories, with the same path at all workers",
    },
    workspaces: {
      type: "string",
      choices: ["shared", "git"],
      default: "shared",
      help: "The workers share the folder, or each thread has a git worktree",
    },
    repository: {
      type: "string",
      value: "URL",
      help: "Repository of the worktrees, which all workers can read and write",
    },
    name: { type: "string", value: "NAME", help: "Name of the worker; default: host and process" },
    lease: {
      type: "string",
      value: "SECONDS",
      default: "10",
      help: "Time after which a lost worker is replaced",
    },
    retain: {
      type: "string",
      value: "DAYS",
      help: "Delete threads that have not changed for so long",
    },
    "retain-archived": {
      type: "string",
      value: "DAYS",
      help: "Delete threads that have been archived for so long",
    },
    "max-threads": {
      type: "string",
      value: "N",
      default: "100",
      help: "Most threads at a time",
    },
    metrics: {
      type: "string",
      value: "HOST:PORT",
      help: "Serve /metrics, /healthz and /readyz at this loopback address",
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
    const retention = {
      ...daysOf("idleMs", "--retain", values.retain),
      ...daysOf("archivedMs", "--retain-archived", values["retain-archived"]),
    };
    const maxThreads = numberOf("--max-threads", values["max-threads"], 1);
    const metricsUrl = values.metrics === undefined ? undefined : addressOf(values.metrics);
    const repository = values.repository || undefined;
    if ((values.workspaces === "git") !== (repository !== undefined)) {
      throw new UsageError("Expected --workspaces git together with --repository URL");
    }
    const flags = await toOverrides(values);
    await requireEnforceable({ ...io, flags });
    const { broker } = await connectBroker(values, io);
    const print = (text: string) => io.stderr.write(withProgramName(`quire: ${text}\n`));
    try {
      const { runWorker } = await import("../../../fleet/worker/index.js");
      const run = () =>
        runWorker({
          broker,
          name,
          pool,
          workspaceRoot: root,
          repository,
          leaseMs,
          retention,
          maxThreads,
          metricsUrl,
          local: { env: io.env, flags, era: requireEra(io.env) },
          signal: io.signal,
          onReady: () => io.stdout.write(`ready: worker ${name} takes threads of pool ${pool}\n`),
          onListening: (url) =>
            io.stdout.write(`metrics at ${url.replace(/^ws/, "http")}/metrics\n`),
          report: print,
        });
      await explained(run);
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

function addressOf(text: string): string {
  const [, host = "", port] = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\]):(\d{1,5})$/.exec(text) ?? [];
  if (port !== undefined && Number(port) < 65_536) return `ws://${host}:${port}`;
  throw new UsageError(
    `Expected --metrics to be a loopback address with a port, such as 127.0.0.1:9464 (got "${text}")`,
  );
}

function daysOf<Key extends string>(
  key: Key,
  option: string,
  text: string | undefined,
): { [Name in Key]?: number } {
  if (text === undefined) return {};
  const ms = 86_400_000 * numberOf(option, text, 0.0001);
  return { [key]: ms } as { [Name in Key]?: number };
}

function numberOf(option: string, text: string, least: number): number {
  const number = Number(text);
  if (text.trim() !== "" && number >= least && number < 1e6) return number;
  throw new UsageError(`Expected ${option} to be a number of at least ${least} (got "${text}")`);
}
