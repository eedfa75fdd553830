export {
  createLocalParts,
  type EngineParts,
  type EraName,
  type LocalOptions,
  type LocalParts,
} from "../engine/index.js";
export { serveAppServer } from "./app-server/serve.js";
export type { LiveRequest, OneOffCommand, OneOffResult } from "./client-commands.js";
export type { Host } from "./host.js";
export { startInProcessAppServer } from "./in-process.js";
export { type Access, type ServeListenerOptions, serveListener } from "./listener.js";
export { serveMcp } from "./mcp/serve.js";
export type { McpDesk, McpServerReport } from "./mcp-desk.js";
export { Server } from "./server.js";
export { type ServeQueuesOptions, serveQueues } from "./sqeq/serve.js";
