import { once } from "node:events";
import type { Writable } from "node:stream";
import type { LocalParts } from "../../engine/index.js";
import { programName } from "../../lib/program-name.js";
import { type Channel, listen } from "../../transport/index.js";
import type { Access } from "../listener.js";
import { type ServeQueuesOptions, serveQueues } from "./serve.js";

/** Where the queues are served, and how. */
export interface ListenQueuesOptions extends Omit<ServeQueuesOptions, "parts" | "endOfInput"> {
  url: string;
  /** Ends the server. */
  signal: AbortSignal;
  /** Makes the parts of one engine. */
  createParts(): LocalParts;
  /** Who is let in. */
  access: Access;
  stderr: Writable;
}

/** Serves the queues at an address until the signal, over IPC until its client leaves; each client has an engine of its own. */
export async function listenQueues(options: ListenQueuesOptions): Promise<void> {
  const { url, createParts, access, stderr, ...queues } = options;
  const { signal } = queues;
  const serving = new Set<Promise<void>>();
  const onConnection = (channel: Channel) => {
    const parts = createParts();
    const one = serveQueues(channel, { ...queues, parts, endOfInput: "the client left" })
      // What goes wrong with one client must not end the others.
      .catch(
        (error: unknown) => void stderr.write(`${programName()}: a client was lost: ${error}\n`),
      )
      .then(() => parts.close());
    serving.add(one);
    void one.finally(() => serving.delete(one));
  };
  // The signal ends the engines, which then say their last words before the door is closed.
  const listener = await listen(url, { ...access, onConnection });
  const aborted = signal.aborted ? Promise.resolve() : once(signal, "abort");
  if (url.startsWith("ipc:")) {
    await Promise.race([aborted, ...serving]);
  } else {
    stderr.write(`${programName()}: listening on ${listener.url}\n`);
    await aborted;
  }
  await Promise.all(serving);
  await listener.close();
}
