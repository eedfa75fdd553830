// Uses the official SDK as its users do; prints its result as one line of JSON per step. Its argument is
// JSON: the path of the SDK, the program to run, the folder, and an image.
import { pathToFileURL } from "node:url";

const { library, codex, workspace, image } = JSON.parse(process.argv[2]);
const { Codex } = await import(pathToFileURL(`${library}/dist/index.js`).href);
const agent = new Codex({ codexPathOverride: codex });
const options = { workingDirectory: workspace, skipGitRepoCheck: true };
const usageKeys = ["input_tokens", "cached_input_tokens", "output_tokens"];

const thread = agent.startThread(options);
const first = await thread.run("Say hello.");
report("run", {
  answer: first.finalResponse,
  items: first.items.map(({ type }) => type),
  usage: usageKeys.every((key) => Number.isInteger(first.usage?.[key])),
  hasId: typeof thread.id === "string",
});

const seen = [];
const { events } = await thread.runStreamed("Run a command.");
for await (const event of events) {
  seen.push(event.item === undefined ? event.type : `${event.type} ${event.item.type}`);
  if (event.item?.type === "command_execution" && event.type === "item.completed") {
    report("command", {
      exitCode: event.item.exit_code,
      output: event.item.aggregated_output.trim(),
    });
  }
}
report("streamed", { seen });

const resumed = agent.resumeThread(thread.id, options);
const second = await resumed.run("Go on.");
report("resume", { answer: second.finalResponse, same: resumed.id === thread.id });

const outputSchema = {
  type: "object",
  properties: { word: { type: "string" } },
  required: ["word"],
  additionalProperties: false,
};
const formed = await agent.startThread(options).run("Give me JSON.", { outputSchema });
report("schema", { answer: JSON.parse(formed.finalResponse) });

if (image !== undefined) {
  const pictured = await agent.startThread(options).run([
    { type: "text", text: "Look at the picture." },
    { type: "local_image", path: image },
  ]);
  report("image", { answer: pictured.finalResponse });

  const abort = new AbortController();
  try {
    const slow = await agent.startThread(options).runStreamed("Wait.", { signal: abort.signal });
    for await (const event of slow.events) if (event.type === "turn.started") abort.abort();
    report("abort", { name: "none" });
  } catch (error) {
    report("abort", { name: error.name });
  }
}

try {
  await agent.startThread(options).run("Fail.");
  report("error", { message: "none" });
} catch (error) {
  report("error", { message: error.message });
}

report("end", {});

function report(step, what) {
  console.log(JSON.stringify({ step, ...what }));
}
