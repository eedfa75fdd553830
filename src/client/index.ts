export { RpcError, rpcCodes } from "../jsonrpc/index.js";
export type { AppServerClient } from "./app-server-client.js";
export { type ConnectAppServerOptions, connectAppServer } from "./connect.js";
export type {
  ClientMethod,
  ParamsOf,
  ResultOf,
  ServerMethod,
  ServerNotification,
  ServerQuestion,
  ServerRequestHandler,
  ServerRequestHandlers,
} from "./messages.js";
export { runTurn, type TurnRequest } from "./run-turn.js";
export { ThreadFeed } from "./thread-feed.js";
