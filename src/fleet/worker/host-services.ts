import type { EngineParts } from "../../engine/index.js";
import type { Telemetry } from "../../telemetry/index.js";
import type { Broker } from "../broker.js";
import type { Workspaces } from "./workspace.js";

/** Services of a worker for its threads. */
export interface HostServices {
  broker: Broker;
  worker: string;
  pool: string;
  parts: EngineParts;
  workspaces: Workspaces;
  /** Folder for the files of loaded threads. */
  home: string;
  leaseMs: number;
  /** A thread without work is unloaded after this time. */
  idleMs: number;
  report(message: string): void;
  /** Measures the worker, if telemetry is on. */
  metrics?: Pick<Telemetry, "record" | "observe"> | undefined;
}
