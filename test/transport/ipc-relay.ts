import { type Channel, connect, ipcChannel } from "../../src/transport/index.js";

/**
 * Program of a child: relays messages between its parent's IPC and the server at an address, so
 * that a test can hold both ends.
 */
const parent = ipcChannel(process, { offersFlow: false });
const socket = await connect(process.argv[2] ?? "");
const back = pass(socket, parent);
await pass(parent, socket);
if (!parent.isOpen) socket.destroy();
await back;
await parent.close();

async function pass(from: Channel, to: Channel): Promise<void> {
  for await (const message of from.incoming) {
    if (!to.isOpen) break;
    if (!to.send(message)) await to.drained();
  }
  to.end();
  await to.drained();
}
