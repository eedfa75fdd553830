export { FleetWorker, type WorkerOptions } from "./worker.js";
export { Workspaces } from "./workspace.js";
