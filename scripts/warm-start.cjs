// Runs the built program like its users do, and writes the modules it loaded (`list`) or V8's code
// cache of its files (`compile`). `node warm-start.cjs FOLDER
// start|turn|exec|script|cells|later|stored|frame|screen|all list|compile`
"use strict";
const { writeFileSync } = require("node:fs");
const { createServer } = require("node:http");
const { join } = require("node:path");
const { PassThrough, Writable } = require("node:stream");

// A code cache fits only processes with the same V8 flags, and all of them start with none.
require("node:v8").setFlagsFromString = () => {};

const [, , folder, scene, wanted] = process.argv;
const program = require(join(folder, "main.js"));
const quire = { name: "quire", version: () => "0" };

/** For `start` and `frame`: the modules loaded until the first response or frame. */
let untilAnswer;

process.on("exit", () => {
  if (wanted === "list") {
    const names = untilAnswer ?? [...program.loaded.keys()];
    writeFileSync(join(folder, "loaded.json"), JSON.stringify(names));
  } else {
    for (const part of compiledIn[scene] ?? [scene]) writeCache(part);
  }
  process.exitCode = 0; // the scene only serves to load modules, so its failures do not matter
});
setImmediate(scene === "start" ? () => serve([initialize]) : takeTurns);

/**
 * A cache contains only the functions that its own scenes use, because V8 reads all of it at once.
 */
const compiledIn = { turn: ["start", "turn"], screen: ["frame", "screen"], all: ["rest"] };

/** Also compiles functions that were not called, as far as V8 does so eagerly. */
function writeCache(part) {
  const data = program.open(part).createCachedData();
  writeFileSync(join(folder, `${part}-${process.version}-${process.arch}.cache`), data);
}

/**
 * Runs a turn with a model that answers one word: `cells` the default model, which has code mode;
 * `script` is `exec` with the options of programs; `later` uses each surface, with a command first;
 * `stored` also lists and resumes threads, and makes the requests of an editor that starts.
 */
function takeTurns() {
  const runsCommands = scene === "later" || scene === "all";
  let asked = 0;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const events = answerOf(runsCommands && asked++ % 2 === 0 ? call : message);
      response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
    });
  });
  server.listen(0, "127.0.0.1", async () => {
    writeFileSync(join(process.env.CODEX_HOME, "config.toml"), configText(server.address().port));
    try {
      const isScreen = scene === "frame" || scene === "screen";
      if (isScreen || scene === "all") await useScreen();
      if (isScreen) return;
      const looksBack = scene === "stored" || scene === "all";
      const stored = looksBack ? [threadList, threadResume, ...ofEditors] : [];
      if (scene !== "exec" && scene !== "script")
        await serve([initialize, threadStart, turnStart, ...stored]);
      if (scene === "turn" || scene === "cells") return;
      if (looksBack) await exec(["resume", "--last", "hi"]);
      if (scene === "stored") return;
      await exec(scene === "script" ? [...asInScripts(), "hi"] : ["hi"]);
      if (!runsCommands) return;
      await speak(["proto"], []);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
}

function exec(args) {
  return program.main(["exec", "--skip-git-repo-check", ...args], quire);
}

/** Options that other programs give to `exec`. */
function asInScripts() {
  const schema = join(process.env.CODEX_HOME, "schema.json");
  writeFileSync(schema, '{"type":"object"}');
  const settings = ["-m", "gpt-5.5", "-s", "workspace-write", "-c", "hide_agent_reasoning=true"];
  return ["--json", ...settings, "--output-schema", schema];
}

/** Sends each request when the previous one has ended. */
function serve(steps) {
  return speak(["app-server"], steps);
}

/**
 * Runs a command with replaced standard streams: a server closes its output, which this process
 * still needs.
 */
async function speak(args, steps) {
  const stdin = new PassThrough();
  let said = "";
  const waiting = [...steps];
  const next = (step) => {
    if (step === undefined) stdin.end();
    else stdin.write(`${JSON.stringify(step.request(said))}\n`);
  };
  const stdout = new Writable({
    decodeStrings: false,
    write(text, _encoding, done) {
      said += text;
      if (waiting.length > 0 && said.includes(waiting[0].end)) {
        if (scene === "start") untilAnswer = [...program.loaded.keys()];
        waiting.shift();
        setImmediate(next, waiting[0]);
      }
      done();
    },
  });
  const real = Object.getOwnPropertyDescriptor(process, "stdout");
  Object.defineProperty(process, "stdin", { value: stdin, configurable: true });
  Object.defineProperty(process, "stdout", { value: stdout, configurable: true });
  try {
    next(waiting[0]);
    await program.main(args, quire);
  } finally {
    Object.defineProperty(process, "stdout", real);
  }
}

/** Runs a turn in a virtual terminal, then quits. */
async function useScreen() {
  const keys = Object.assign(new PassThrough(), { isTTY: true, setRawMode() {} });
  Object.defineProperty(process, "stdin", { value: keys, configurable: true });
  Object.assign(process.stdout, { isTTY: true, columns: 80, rows: 24 });
  const steps = [
    ["Describe a task", "hi\r"],
    ["Working", ""],
    ["Describe a task", "\x04"],
  ];
  const write = process.stdout.write;
  let said = "";
  process.stdout.write = (text) => {
    said += text;
    if (scene === "frame" && text.includes(endOfFrame)) untilAnswer ??= [...program.loaded.keys()];
    if (text.includes(askBackground)) setImmediate(() => keys.write(darkBackground));
    if (steps.length > 0 && said.includes(steps[0][0])) {
      said = "";
      const [, answer] = steps.shift();
      setImmediate(() => keys.write(answer));
    }
    return true;
  };
  // If the screen never shows the expected text, the modules loaded so far still count.
  const patience = setTimeout(() => process.exit(), 10_000);
  try {
    await program.main(["-C", ".", "-s", "workspace-write"], quire);
  } finally {
    clearTimeout(patience);
    process.stdout.write = write;
    process.stdout.isTTY = false;
  }
}

const endOfFrame = "\x1b[?2026l";
const askBackground = "\x1b]11;?";
const darkBackground = "\x1b]11;rgb:0000/0000/0000\x1b\\";

const clientInfo = { name: "build", title: null, version: "0" };
const initialize = {
  request: () => ({ id: 1, method: "initialize", params: { clientInfo } }),
  end: '"id":1',
};
const threadStart = {
  request: () => ({ id: 2, method: "thread/start", params: {} }),
  end: '"id":2',
};
const turnStart = {
  request(said) {
    const threadId = /"thread":\{"id":"([^"]+)"/.exec(said)?.[1];
    return {
      id: 3,
      method: "turn/start",
      params: { threadId, input: [{ type: "text", text: "hi" }] },
    };
  },
  end: '"turn/completed"',
};

const threadList = {
  request: () => ({ id: 4, method: "thread/list", params: {} }),
  end: '"id":4',
};
const threadResume = {
  request(said) {
    const threadId = /"thread":\{"id":"([^"]+)"/.exec(said)?.[1];
    return { id: 5, method: "thread/resume", params: { threadId } };
  },
  end: '"id":5',
};

/** Requests that editors make when they start. */
const ofEditors = [
  "account/read",
  "model/list",
  "config/read",
  "skills/list",
  "hooks/list",
  "mcpServerStatus/list",
  "experimentalFeature/list",
].map((method, at) => ({
  request: () => ({ id: 60 + at, method, params: {} }),
  end: `"id":${60 + at}`,
}));

function configText(port) {
  const provider = `name = "warm"\nbase_url = "http://127.0.0.1:${port}"\nwire_api = "responses"\n`;
  const model = scene === "cells" ? "" : 'model = "gpt-5.5"\n';
  return `${model}model_provider = "warm"\nsandbox_mode = "workspace-write"\napproval_policy = "never"\n[model_providers.warm]\n${provider}`;
}

const text = { type: "output_text", text: "hi" };
const message = { type: "message", id: "m", role: "assistant", content: [text] };
const messageDeltas = [
  { type: "response.output_item.added", item: { ...message, content: [] } },
  { type: "response.output_text.delta", item_id: "m", delta: "h" },
  { type: "response.output_text.delta", item_id: "m", delta: "i" },
];
const call = {
  type: "function_call",
  call_id: "call",
  name: "exec_command",
  arguments: '{"cmd":"true"}',
};

function answerOf(item) {
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  return [
    { type: "response.created", response: { id: "r" } },
    ...(item === message ? messageDeltas : []),
    { type: "response.output_item.done", item },
    { type: "response.completed", response: { id: "r", usage } },
  ];
}
