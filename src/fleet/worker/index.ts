export { type RunWorkerOptions, runWorker } from "./run-worker.js";
export { ThreadView } from "./thread-view.js";
export { FleetWorker, type WorkerOptions } from "./worker.js";
export { Workspaces } from "./workspace.js";
