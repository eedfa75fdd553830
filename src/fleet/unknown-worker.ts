import { CodexError } from "../protocol/error.js";
import type { WorkerInfo } from "./broker.js";

/** The error for a worker that is not there. */
export function unknownWorker(name: string, workers: readonly WorkerInfo[]): CodexError {
  const names = workers.map((worker) => worker.name).sort();
  const known = names.length === 0 ? "no worker is running" : `running: ${names.join(", ")}`;
  return new CodexError("not_found", `No worker is named "${name}" (${known})`);
}
