// Starts a session of the built program and ends it, then keeps what that taught: the files it loaded,
// or, when these are one file already, what V8 made of it. `node warm-start.cjs MAIN start|later OUTPUT`
"use strict";
const { writeFileSync } = require("node:fs");
const { createServer } = require("node:http");
const { basename, dirname, join } = require("node:path");

const [, , program, part, output] = process.argv;
const { main, scripts } = require(program);
const quire = { name: "quire", version: () => "0" };

process.on("exit", () => {
  writeFileSync(output, scripts?.[part]?.createCachedData() ?? loadedFiles());
  process.exitCode = 0; // whatever it could not do, it was for what it loaded
});
if (part === "start") main(["proto"], quire);
else runOneTurn();

/** Runs a turn of `exec` on a model that says one word. */
function runOneTurn() {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(answer.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
    });
  });
  server.listen(0, "127.0.0.1", async () => {
    writeFileSync(join(process.env.CODEX_HOME, "config.toml"), configText(server.address().port));
    try {
      await main(["exec", "--skip-git-repo-check", "hi"], quire);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
}

function configText(port) {
  const provider = `name = "warm"\nbase_url = "http://127.0.0.1:${port}"\nwire_api = "responses"\n`;
  return `model = "gpt-5"\nmodel_provider = "warm"\n[model_providers.warm]\n${provider}`;
}

const text = { type: "output_text", text: "hi" };
const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
const answer = [
  { type: "response.created", response: { id: "r" } },
  {
    type: "response.output_item.done",
    item: { type: "message", role: "assistant", content: [text] },
  },
  { type: "response.completed", response: { id: "r", usage } },
];

function loadedFiles() {
  const files = Object.keys(require.cache).filter((file) => dirname(file) === dirname(program));
  return JSON.stringify(files.map((file) => basename(file)));
}
