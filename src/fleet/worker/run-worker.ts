import { rm } from "node:fs/promises";
import { codexHome } from "../../config/index.js";
import { createLocalParts, type LocalOptions, type LocalParts } from "../../engine/index.js";
import type { Listener } from "../../transport/index.js";
import type { Broker } from "../broker.js";
import { startTelemetry } from "../start-telemetry.js";
import type { Retention } from "./janitor.js";
import { FleetWorker } from "./worker.js";
import { openWorkerHome } from "./worker-home.js";
import { Workspaces } from "./workspace.js";

/** Options of a worker that is a process. */
export interface RunWorkerOptions {
  broker: Broker;
  name: string;
  pool: string;
  /** Folder that has the working directories of all threads. */
  workspaceRoot: string;
  /** Repository of which each thread has a worktree; without it the workers share the folder. */
  repository?: string | undefined;
  leaseMs: number;
  retention?: Retention;
  maxThreads: number;
  /** Address of a listener for `/metrics`, `/healthz` and `/readyz`; on loopback. */
  metricsUrl?: string | undefined;
  local: Omit<LocalOptions, "surface" | "cwd">;
  /** Drains the worker. */
  signal: AbortSignal;
  onReady(): void;
  /** Called with the address of the listener for metrics. */
  onListening?(url: string): void;
  report(message: string): void;
}

/** Runs a worker until it has drained, at the signal or by a command of the fleet. */
export async function runWorker(options: RunWorkerOptions): Promise<void> {
  const { broker, name, pool, leaseMs, maxThreads, local, signal, report } = options;
  const workspaces = await openWorkspaces(options);
  const parts = createLocalParts({ ...local, cwd: workspaces.root, surface: "json-rpc" });
  const config = await parts.loadConfig({ type: "configure_session" });
  const started = await startTelemetry(parts.machine.telemetry, config, report);
  const home = await openWorkerHome(codexHome(local.env), name);
  const worker = new FleetWorker({
    broker,
    worker: name,
    pool,
    parts,
    workspaces,
    home,
    leaseMs,
    idleMs,
    maxThreads,
    sweepMs,
    retention: options.retention ?? {},
    report,
    metrics: started?.telemetry,
  });
  const listener = await listenForMetrics(options, worker, parts);
  await worker.start();
  options.onReady();
  const drain = () => worker.drain();
  signal.addEventListener("abort", drain, { once: true });
  if (signal.aborted) drain();
  await worker.gone;
  signal.removeEventListener("abort", drain);
  await listener?.close();
  await parts.close();
  await rm(home, { recursive: true, force: true });
}

/** Listens for programs that watch the worker, if an address is given. */
async function listenForMetrics(
  { metricsUrl, onListening = () => {} }: RunWorkerOptions,
  worker: FleetWorker,
  { machine }: LocalParts,
): Promise<Listener | undefined> {
  if (metricsUrl === undefined) return undefined;
  const { listen } = await import("../../transport/index.js");
  const listener = await listen(metricsUrl, {
    onConnection: (channel) => void channel.close(),
    isReady: () => worker.isReady,
    async metrics() {
      const { serverMetrics } = await import("../../telemetry/process-metrics.js");
      return serverMetrics(machine.telemetry, worker.size);
    },
  });
  onListening(listener.url);
  return listener;
}

async function openWorkspaces({ workspaceRoot: root, repository, local }: RunWorkerOptions) {
  if (repository === undefined) return new Workspaces(root);
  const { GitWorkspaces } = await import("./git/git-workspaces.js");
  const workspaces = new GitWorkspaces({ root, repository, env: local.env });
  await workspaces.prepare();
  return workspaces;
}

/** A thread that comes back sooner keeps its servers and approvals. */
const idleMs = 5_000;
/** A message without a wake-up waits for two of these at most. */
const sweepMs = 5_000;
