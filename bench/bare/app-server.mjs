// The minimal Node program that performs a turn: the wire to the client, the wire to the model, the command
// and the log, without an engine between them. Its cost is the limit that we can reach on this machine; it
// checks nothing, reads no settings and has no other use.
import { spawn } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";

const agent = new Agent({ keepAlive: true });
const threads = new Map();
let rest = "";

process.stdin.setEncoding("utf8");
process.stdin.on("data", (text) => {
  const lines = (rest + text).split("\n");
  rest = lines.pop();
  for (const line of lines) answer(JSON.parse(line));
});

function answer({ id, method, params }) {
  if (method === "initialize") return send({ id, result: { userAgent: "bare/0.0.0" } });
  if (method === "thread/start") {
    const thread = openThread(params);
    return send({ id, result: { thread: { id: thread.id, turns: [] } } });
  }
  if (method !== "turn/start") return undefined;
  const thread = threads.get(params.threadId);
  const turn = { id: `turn_${thread.history.length}`, items: [], status: "inProgress" };
  send({ id, result: { turn } });
  return takeTurn(thread, turn, params.input);
}

function openThread({ cwd = process.cwd() }) {
  const id = `thread_${threads.size}`;
  const folder = join(process.env.CODEX_HOME, "sessions");
  mkdirSync(folder, { recursive: true });
  const config = readFileSync(join(process.env.CODEX_HOME, "config.toml"), "utf8");
  const [, baseUrl] = /base_url = "(.*)"/.exec(config);
  const log = join(folder, `${process.pid}-${id}.jsonl`);
  const thread = { id, log, cwd, url: new URL(`${baseUrl}/responses`), history: [] };
  threads.set(id, thread);
  notify("thread/started", { thread: { id } });
  return thread;
}

async function takeTurn(thread, turn, input) {
  const at = { threadId: thread.id, turnId: turn.id };
  notify("turn/started", { threadId: thread.id, turn });
  const content = input.map(({ text }) => ({ type: "input_text", text }));
  record(thread, { type: "message", role: "user", content });
  for (;;) {
    const calls = await stream(thread, at);
    if (calls.length === 0) break;
    for (const call of calls) record(thread, await run(thread, at, call));
  }
  notify("turn/completed", { threadId: thread.id, turn: { ...turn, status: "completed" } });
}

/** One request; returns the calls that the model made. */
function stream(thread, at) {
  const body = JSON.stringify({ model: "bare", stream: true, input: thread.history });
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  const { promise, resolve } = deferred();
  const calls = [];
  let unread = "";
  const outgoing = request(thread.url, { method: "POST", agent, headers }, (incoming) => {
    incoming.setEncoding("utf8");
    incoming.on("data", (text) => {
      const events = (unread + text).split("\n\n");
      unread = events.pop();
      for (const event of events) take(JSON.parse(event.slice(event.indexOf("data: ") + 6)));
      flush();
    });
    incoming.on("end", () => resolve(calls));
  });
  outgoing.end(body);
  return promise;

  function take({ type, delta, item, item_id }) {
    if (type === "response.output_text.delta") {
      queue("item/agentMessage/delta", { ...at, itemId: item_id, delta });
    } else if (type === "response.output_item.done") {
      record(thread, item);
      if (item.type === "function_call") calls.push(item);
      queue("item/completed", { ...at, item });
    }
  }
}

function run({ cwd }, at, { call_id, arguments: args }) {
  const { promise, resolve } = deferred();
  notify("item/started", { ...at, item: { id: call_id, type: "commandExecution" } });
  const child = spawn("/bin/bash", ["-lc", JSON.parse(args).cmd], { cwd });
  let output = "";
  child.stdout.on("data", (data) => {
    output += data;
  });
  child.on("close", (exitCode) => {
    const item = { id: call_id, type: "commandExecution", exitCode };
    notify("item/completed", { ...at, item });
    resolve({ type: "function_call_output", call_id, output });
  });
  return promise;
}

function record(thread, item) {
  thread.history.push(item);
  const line = { timestamp: new Date().toISOString(), type: "response_item", payload: item };
  appendFileSync(thread.log, `${JSON.stringify(line)}\n`);
}

let waiting = "";

function queue(method, params) {
  waiting += `${JSON.stringify({ method, params })}\n`;
}

function flush() {
  if (waiting !== "") process.stdout.write(waiting);
  waiting = "";
}

function notify(method, params) {
  queue(method, params);
  flush();
}

function send(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

function deferred() {
  let resolve;
  const promise = new Promise((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
