// Embeds the agent in your program: no server, no child process.
//   node examples/embed.mjs "What is in this folder?"
import { Codex } from "quire-agent";

const codex = new Codex({ sandboxMode: "read-only" });
const thread = codex.startThread();
const { events } = await thread.runStreamed(process.argv[2] ?? "Say hello");
for await (const event of events) {
  if (event.type !== "item.completed") continue;
  const { item } = event;
  if (item.type === "command_execution") console.error(`$ ${item.command}`);
  if (item.type === "agent_message") console.log(item.text);
}
await codex.close();
