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

/** Limits of a command; a client can change those called usual. */
export const limits = {
  usualTimeoutMs: 10_000,
  usualCapBytes: 1024 * 1024,
  /** Captured output of each stream, even if the client disables the cap. */
  capturedBytes: 32 * 1024 * 1024,
};

/** Terms for commands in errors. */
interface Terms {
  noun: string;
  /** The method that writes to a command. */
  writeMethod: string;
  /** Returns the error for a name without a command. */
  missing(name: string): string;
}

/** Input of a client for a command. */
interface Input {
  deltaBase64?: string | undefined;
  closeStdin?: boolean | undefined;
}

/** Commands that clients have started and control by name, for each connection. */
export class LiveCommands {
  readonly #terms: Terms;
  readonly #running = new WeakMap<Connection, Commands>();

  constructor(terms: Terms) {
    this.#terms = terms;
  }

  /** Returns the commands of a connection. */
  of(connection: Connection): Commands {
    const commands = this.#running.get(connection) ?? new Map();
    this.#running.set(connection, commands);
    return commands;
  }

  /** Writes to a command. */
  write(
    connection: Connection,
    name: string,
    { deltaBase64, closeStdin = false }: Input,
  ): Record<string, never> {
    const { noun, writeMethod } = this.#terms;
    if (deltaBase64 === undefined && !closeStdin) {
      throw invalid(`${writeMethod} requires deltaBase64 or closeStdin`);
    }
    const { command, takesInput } = this.#find(connection, name);
    const bytes = deltaBase64 === undefined ? undefined : toBytes(deltaBase64);
    if (!takesInput) throw refused(`stdin streaming is not enabled for this ${noun}`);
    if (bytes !== undefined) {
      if (command.unread > maxUnreadBytes) {
        throw new RpcError(
          rpcCodes.overloaded,
          "The command does not read its input; retry later.",
        );
      }
      if (!command.write(bytes)) throw refused("stdin is already closed");
    }
    if (closeStdin) command.closeInput();
    return {};
  }

  /** Ends a command. */
  end(connection: Connection, name: string): Record<string, never> {
    this.#find(connection, name).command.end();
    return {};
  }

  /** Resizes the terminal of a command. */
  resize(
    connection: Connection,
    name: string,
    size: CommandExecTerminalSize,
  ): Record<string, never> {
    if (this.#find(connection, name).command.resize(toSize(size))) return {};
    throw refused("failed to resize PTY: process is not attached to a PTY");
  }

  #find(connection: Connection, name: string): Running {
    const running = this.of(connection).get(name);
    if (running === undefined) throw refused(this.#terms.missing(name));
    return running;
  }
}

/** Ends a command when a signal aborts; returns a function that stops that. */
export function endOnAbort(command: LiveCommand, signal: AbortSignal): () => void {
  const end = () => command.end();
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  return () => signal.removeEventListener("abort", end);
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

/** Returns the size of a terminal as the process takes it. */
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
