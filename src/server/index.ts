export {
  createLocalParts,
  type EngineParts,
  type EraName,
  type LocalOptions,
  type LocalParts,
} from "../engine/index.js";
export type { AppServer, ClientIdentity, EditorServices } from "./acp/app-server.js";
export { serveAppServer } from "./app-server.js";
export type { LiveRequest, OneOffCommand, OneOffResult } from "./client-commands.js";
export type { Host } from "./host.js";
export { serveMcp } from "./mcp/serve.js";
export type { McpDesk, McpServerReport } from "./mcp-desk.js";
export {
  type Access,
  type ServeListenerOptions,
  type ServerHost,
  serveListener,
  startInProcessAppServer,
} from "./serve.js";
export { type Fleet, Server } from "./server.js";
export { type ServeQueuesOptions, serveQueues } from "./sqeq/serve.js";
export type { OpenedThread } from "./thread/registry.js";
export type { RemoteEngine, StoredTurn } from "./thread/remote-engine.js";
export type { Thread } from "./thread/thread.js";
