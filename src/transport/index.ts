export { stdioChannel } from "./byte-channel.js";
export { type Channel, Malformed } from "./channel.js";
export { type ClientTls, type ConnectOptions, connect } from "./connect.js";
export { TransportError, type TransportErrorCode } from "./error.js";
export { linkedChannels } from "./in-process.js";
export { weigh } from "./inbox.js";
export { type IpcOptions, type IpcProcess, ipcChannel } from "./ipc.js";
export type { SignedTokenRule, SigningKey } from "./jwt.js";
export {
  type ConnectionInfo,
  type Listener,
  type ListenOptions,
  listen,
  type ServerTls,
} from "./listen.js";
export { maxLineBytes, readJsonLines, toJsonLine } from "./ndjson.js";
export type { ServerToken, SigningKeyFile } from "./token.js";
export { workerChannel } from "./worker.js";
