// Uses a provider of the AI SDK that speaks to an app-server; prints its result as one line of JSON per
// step. Its argument is JSON: the path of the provider, the program to run, and the folder.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { library, codex, workspace } = JSON.parse(process.argv[2]);
const beside = createRequire(join(library, "package.json"));
const { generateText, Output, streamText } = await load("ai");
const { createCodexAppServer } = await import(pathToFileURL(`${library}/dist/index.js`).href);
const { z } = await load("zod");
const provider = createCodexAppServer({ defaultSettings: { codexPath: codex, cwd: workspace } });
const model = provider("gpt-5.5");

const first = await generateText({ model, prompt: "Say hello." });
report("generate", { text: first.text, finished: first.finishReason });

const streamed = streamText({ model, prompt: "Say it in pieces." });
const pieces = [];
for await (const piece of streamed.textStream) pieces.push(piece);
report("stream", { text: pieces.join(""), inPieces: pieces.length > 1 });

const working = streamText({ model, prompt: "Run a command." });
const kinds = new Set();
let answer = "";
for await (const part of working.fullStream) {
  if (part.type.startsWith("tool-")) kinds.add(part.type);
  if (part.type === "text-delta") answer += part.text;
  if (part.type === "error") throw part.error;
}
report("command", {
  text: answer,
  tools: ["tool-call", "tool-result"].filter((kind) => kinds.has(kind)),
});

const formed = await generateText({
  model,
  prompt: "Give me JSON.",
  output: Output.object({ schema: z.object({ word: z.string() }) }),
});
report("object", { object: formed.output });

// One provider resumes its last thread, the other the thread that a call names.
const begun = await threadOf("Say hello.", { threadMode: "persistent" });
const next = await threadOf("Go on.", begun.named ? { threadId: begun.id } : {});
report("thread", {
  hasId: typeof begun.id === "string",
  same: next.id === begun.id,
  text: next.text,
});

try {
  const failed = await generateText({ model, prompt: "Fail.", maxRetries: 0 });
  report("error", { message: `finished as ${failed.finishReason}` });
} catch (error) {
  report("error", { message: error.message });
}
await provider.close?.();
report("end", {});
process.exit();

async function threadOf(prompt, options) {
  const result = streamText({ model, prompt, providerOptions: { "codex-app-server": options } });
  const text = await result.text;
  const { codex: session, "codex-app-server": thread } = (await result.providerMetadata) ?? {};
  return { text, named: thread !== undefined, id: thread?.threadId ?? session?.sessionId };
}

function load(name) {
  return import(pathToFileURL(beside.resolve(name)).href);
}

function report(step, what) {
  console.log(JSON.stringify({ step, ...what }));
}
