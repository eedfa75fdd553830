import { join } from "node:path";
import { codexHome } from "../../config/index.js";
import { createLocalParts, type LocalOptions } from "../../engine/index.js";
import type { Broker } from "../broker.js";
import { FleetWorker } from "./worker.js";
import { Workspaces } from "./workspace.js";

/** Options of a worker that is a process. */
export interface RunWorkerOptions {
  broker: Broker;
  name: string;
  pool: string;
  /** Folder that has the working directories of all threads. */
  workspaceRoot: string;
  leaseMs: number;
  maxThreads: number;
  local: Omit<LocalOptions, "surface" | "cwd">;
  /** Drains the worker. */
  signal: AbortSignal;
  onReady(): void;
  report(message: string): void;
}

/** Runs a worker until it has drained, at the signal or by a command of the fleet. */
export async function runWorker(options: RunWorkerOptions): Promise<void> {
  const { broker, name, pool, leaseMs, maxThreads, local, signal, report } = options;
  const workspaces = new Workspaces(options.workspaceRoot);
  const parts = createLocalParts({ ...local, cwd: workspaces.root, surface: "json-rpc" });
  const worker = new FleetWorker({
    broker,
    worker: name,
    pool,
    parts,
    workspaces,
    home: join(codexHome(local.env), "fleet", name),
    leaseMs,
    idleMs,
    maxThreads,
    report,
  });
  await worker.start();
  options.onReady();
  const drain = () => worker.drain();
  signal.addEventListener("abort", drain, { once: true });
  if (signal.aborted) drain();
  await worker.gone;
  signal.removeEventListener("abort", drain);
  await parts.close();
}

/** A thread that comes back sooner keeps its servers and approvals. */
const idleMs = 5_000;
