export type { RpcRequest } from "./answers.js";
export { RpcError, rpcCodes } from "./error.js";
export type { Notification, Problem, RequestId } from "./message.js";
export { readMessage, SharedNotification } from "./message.js";
export {
  type Handlers,
  type MethodErrors,
  type MethodHandler,
  MethodTable,
  standardErrors,
} from "./method-table.js";
export { createPeer } from "./peer.js";
export type { Peer, PeerLimits, PeerOptions } from "./peer-contract.js";
