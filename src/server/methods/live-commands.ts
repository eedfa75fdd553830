import type { LiveCommand } from "../../exec/index.js";
import { RpcError, rpcCodes } from "../../jsonrpc/index.js";
import type { CommandExecTerminalSize } from "../../protocol/rpc/v2/command-exec.js";
import type { Connection } from "../connection.js";

/** A command of a client that is running. */
export interface Running {
  command: LiveCommand;
  takesInput: boolean;
}

/** Running commands of a connection by the client's name; `undefined` while one is being started. */
export type Commands = Map<string, Running | undefined>;

/** Returns a function that returns the commands of a connection. */
export function commandsByConnection(): (connection: Connection) => Commands {
  const running = new WeakMap<Connection, Commands>();
  return (connection) => {
    const commands = running.get(connection) ?? new Map();
    running.set(connection, commands);
    return commands;
  };
}

/** Input of a client for a command. */
interface Input {
  deltaBase64?: string | undefined;
  closeStdin?: boolean | undefined;
}

/** Writes to a command; `names` are the method and the noun that errors use. */
export function writeInput(
  running: Running | undefined,
  { deltaBase64, closeStdin = false }: Input,
  names: { method: string; noun: string; missing: () => RpcError },
): Record<string, never> {
  if (deltaBase64 === undefined && !closeStdin) {
    throw invalid(`${names.method} requires deltaBase64 or closeStdin`);
  }
  if (running === undefined) throw names.missing();
  const bytes = deltaBase64 === undefined ? undefined : toBytes(deltaBase64);
  const { command, takesInput } = running;
  if (!takesInput) throw refused(`stdin streaming is not enabled for this ${names.noun}`);
  if (bytes !== undefined) {
    if (command.unread > maxUnreadBytes) {
      throw new RpcError(rpcCodes.overloaded, "The command does not read its input; retry later.");
    }
    if (!command.write(bytes)) throw refused("stdin is already closed");
  }
  if (closeStdin) command.closeInput();
  return {};
}

/** Limit for input that a command has not read. */
const maxUnreadBytes = 4 * 1024 * 1024;

function toBytes(base64: string): Buffer {
  const at = base64.search(/[^A-Za-z0-9+/=]|=(?!=?$)/);
  if (at >= 0) {
    throw invalid(
      `invalid deltaBase64: Invalid symbol ${base64.codePointAt(at) ?? 0}, offset ${at}.`,
    );
  }
  if (base64.length % 4 === 0) return Buffer.from(base64, "base64");
  throw invalid("invalid deltaBase64: it is not Base64 with padding");
}

/** Resizes the terminal of a command. */
export function resizeTerminal(
  { command }: Running,
  size: CommandExecTerminalSize,
): Record<string, never> {
  if (command.resize(toSize(size))) return {};
  throw refused("failed to resize PTY: process is not attached to a PTY");
}

export function toSize({ rows, cols }: CommandExecTerminalSize) {
  return { rows, columns: cols };
}

/** Error for a request that the state does not allow. */
export function refused(message: string): RpcError {
  return new RpcError(rpcCodes.invalidRequest, message);
}

/** Error for params that contradict each other. */
export function invalid(message: string): RpcError {
  return new RpcError(rpcCodes.invalidParams, message);
}
