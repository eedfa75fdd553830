import { defineCommand } from "../../command.js";
import { exitCodes, UsageError } from "../../exit-codes.js";
import { brokerOptions, withBroker } from "./connect.js";

/** Sends a message to a thread of a fleet. */
export const fleetSubmit = defineCommand({
  name: "fleet submit",
  summary: "Send a message to a thread",
  mostOperands: 0,
  options: {
    ...brokerOptions,
    thread: { type: "string", value: "ID", help: "Thread to send it to" },
    message: { type: "string", short: "m", value: "TEXT", help: "Message" },
    id: {
      type: "string",
      value: "ID",
      help: "Name of the message; sent again, it starts no second turn",
    },
    pool: { type: "string", value: "NAME", help: "Pool of a thread that has no message yet" },
    json: { type: "boolean", help: "Print the ids of thread and turn as JSON" },
  },
  details:
    "Prints the id of the turn once the message is durable; `quire fleet logs` shows the turn.",
  async run({ values }, io) {
    const { thread: threadId, message: text, id, pool } = values;
    if (threadId === undefined) throw new UsageError("Expected --thread ID");
    if (text === undefined || text.trim() === "") throw new UsageError("Expected --message TEXT");
    const message = {
      threadId,
      text,
      ...(id === undefined ? {} : { clientId: id }),
      ...(pool === undefined ? {} : { pool }),
    };
    const turnId = await withBroker(values, io, async (broker) => {
      const { submitMessage } = await import("../../../fleet/submit.js");
      return submitMessage(broker, message, io.signal);
    });
    io.stdout.write(values.json ? `${JSON.stringify({ threadId, turnId })}\n` : `${turnId}\n`);
    return exitCodes.ok;
  },
});
