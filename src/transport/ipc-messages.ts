/** One end of a Node IPC channel: a forked child, or the `process` of such a child. */
export interface IpcProcess {
  /** False once the channel is closed. */
  readonly connected: boolean;
  /** Sends a message; absent if the process has no channel. */
  send?(message: object, callback: (error: Error | null) => void): boolean;
  /** Closes the channel. */
  disconnect?(): void;
  /** Subscribes to messages, or to the end of the channel. */
  on(event: "message", listener: (message: unknown) => void): unknown;
  /** Subscribes to messages, or to the end of the channel. */
  on(event: "disconnect", listener: () => void): unknown;
  /** Unsubscribes from messages. */
  off(event: "message", listener: (message: unknown) => void): unknown;
}

/**
 * Messages of the channel itself, under the key `$quire`: support for them, the number of messages
 * read, the end of input.
 */
export type Control = { flow: true } | { read: number } | { end: true };

/** Returns the control message in a message, if it is one. */
export function controlIn(message: unknown): Control | undefined {
  if (typeof message !== "object" || message === null || !(controlKey in message)) return undefined;
  const control = message[controlKey];
  if (typeof control !== "object" || control === null) return undefined;
  if ("read" in control)
    return typeof control.read === "number" ? { read: control.read } : undefined;
  return "end" in control ? { end: true } : { flow: true };
}

/** Key that marks control messages. */
export const controlKey = "$quire";
