// Connects to an app-server on a Unix socket and uses its JSON-RPC methods.
//   quire app-server --listen unix:///tmp/quire.sock
//   node examples/unix-socket-client.mjs unix:///tmp/quire.sock "Say hello"
import { connectAppServer, runTurn, ThreadFeed } from "quire-agent/client";

const [, , url = "unix:///tmp/quire.sock", text = "Say hello"] = process.argv;

const client = await connectAppServer(url, {
  clientInfo: { name: "example", title: "Example", version: "1.0.0" },
  handlers: {
    "item/commandExecution/requestApproval": () => ({ decision: "decline" }),
    "item/fileChange/requestApproval": () => ({ decision: "decline" }),
  },
});
try {
  const feed = new ThreadFeed(client); // subscribes before the thread has an id
  const { thread } = await client.request("thread/start", { sandbox: "read-only" });
  const turn = await runTurn({
    client,
    feed,
    threadId: thread.id,
    start: () =>
      client.request("turn/start", { threadId: thread.id, input: [{ type: "text", text }] }),
    onNotification({ method, params }) {
      if (method === "item/agentMessage/delta") process.stdout.write(params.delta);
    },
  });
  process.stdout.write("\n");
  console.error(`${thread.id}: ${turn.status}`);
} finally {
  await client.close();
}
