import { defineCommand } from "../command.js";
import { exitCodes, UsageError } from "../exit-codes.js";

/** Queues a message for a thread of a running server, or of this machine. */
export const queue = defineCommand({
  name: "queue",
  summary: "Queue a message for a thread",
  options: {
    thread: { type: "string", value: "ID", help: "Thread to send it to" },
    message: { type: "string", short: "m", value: "TEXT", help: "Message" },
    remote: { type: "string", value: "URL", help: "Server that has the thread loaded" },
    "remote-auth-token-env": {
      type: "string",
      value: "VAR",
      help: "Environment variable with the server's token",
    },
    json: { type: "boolean", help: "Print the queued message as JSON" },
  },
  details: [
    "The message starts a turn after the running one and after the messages queued before it.",
    "Without --remote it is stored with the thread, which must not be loaded by another process;",
    "the turn starts when the thread is resumed.",
  ].join("\n"),
  async run({ values }, io) {
    const { thread: threadId, message } = values;
    if (threadId === undefined || message === undefined || message.trim() === "") {
      throw new UsageError("Expected --thread ID and --message TEXT (got no thread or no message)");
    }
    const { queueMessage } = await import("../queue-message.js");
    const queued = await queueMessage({ threadId, message, ...remoteOf(values, io.env) }, io);
    const text = values.json ? JSON.stringify(queued) : `Queued for ${threadId}: ${queued.id}`;
    io.stdout.write(`${text}\n`);
    return exitCodes.ok;
  },
});

interface RemoteValues {
  remote?: string | undefined;
  "remote-auth-token-env"?: string | undefined;
}

function remoteOf(
  { remote, "remote-auth-token-env": variable }: RemoteValues,
  env: Readonly<Record<string, string | undefined>>,
): { remote?: { url: string; token?: string } } {
  if (remote === undefined) return {};
  const token = variable === undefined ? undefined : env[variable];
  if (variable !== undefined && !token) {
    throw new UsageError(`--remote-auth-token-env: ${variable} is not set or empty`);
  }
  return { remote: { url: remote, ...(token === undefined ? {} : { token }) } };
}
