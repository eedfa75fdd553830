import { once } from "node:events";
import type { ProcessEnd, ServerProcess } from "../../inspect/index.js";
import { errorText } from "../../lib/errors.js";
import { type Channel, listen, stdioChannel } from "../../transport/index.js";
import { explained } from "../options/listening.js";
import { connectTo, type InspectParts, relayBoth, startProcess } from "./stdio.js";

/** Inspects all clients that connect to an address, until a signal ends the program. */
export async function inspectClients(parts: InspectParts): Promise<ProcessEnd> {
  const { plan, outputs, io } = parts;
  const { url = "", access = {} } = plan.listening ?? {};
  const open = new Set<Promise<void>>();
  let number = 0;
  await explained(async () => {
    const listener = await listen(url, {
      ...access,
      signal: io.signal,
      onConnection(client, { remote }) {
        const connection = ++number;
        outputs.note(
          `client ${connection} connected${remote === undefined ? "" : ` from ${remote}`}`,
        );
        const served = inspectClient(parts, client, connection)
          .catch((error) => outputs.note(`client ${connection} was lost: ${errorText(error)}`))
          .finally(() => {
            open.delete(served);
            outputs.note(`client ${connection} disconnected`);
          });
        open.add(served);
      },
    });
    outputs.note(`listening on ${listener.url}`);
    if (!io.signal.aborted) await once(io.signal, "abort");
    await listener.close();
  });
  await Promise.all(open);
  return { code: null, signal: null };
}

async function inspectClient(
  parts: InspectParts,
  client: Channel,
  connection: number,
): Promise<void> {
  const { plan, inspector } = parts;
  const conversation = inspector.open(connection);
  try {
    if ("url" in plan.server) {
      await relayBoth(conversation, client, await connectTo(plan.server));
      return;
    }
    const server = await startProcess(parts, plan.server.command);
    try {
      await relayBoth(conversation, client, stdioChannel(server.stdout, server.stdin));
    } finally {
      await endProcess(server);
    }
  } finally {
    conversation.end();
    await client.close();
  }
}

/** Waits for a server whose client has left; one that does not exit is ended. */
async function endProcess(server: ServerProcess): Promise<void> {
  server.stdin.end();
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    const timer = setTimeout(() => server.kill(signal), patienceMs[signal]);
    void server.exited.finally(() => clearTimeout(timer));
  }
  await server.exited;
}

const patienceMs = { SIGTERM: 10_000, SIGKILL: 15_000 };
