// A small server for the tests of the kit: SQ/EQ-like lines on standard input and output, one model
// request per turn.
import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const out = (msg) => process.stdout.write(`${JSON.stringify(msg)}\n`);
const config = readFileSync(`${process.env.CODEX_HOME}/config.toml`, "utf8");
const url = /base_url = "(.*)"/.exec(config)[1];
const session = crypto.randomUUID();
const questions = new Map();

out({
  id: "",
  msg: { type: "session_configured", session_id: session, era: process.env.QUIRE_ERA },
});

async function turn(id, text) {
  const response = await fetch(`${url}/responses`, {
    method: "POST",
    headers: { session_id: session },
    body: JSON.stringify({ input: [text], cwd: process.cwd() }),
  });
  for (const line of (await response.text()).split("\n")) {
    if (!line.startsWith("data: ")) continue;
    const event = JSON.parse(line.slice("data: ".length));
    if (event.type === "say") out({ id, msg: { type: "agent_message", message: event.text } });
    if (event.type === "write") writeFileSync(event.path, event.text);
    if (event.type === "ask") {
      const asked = 40 + questions.size;
      out({ id: asked, method: "approve", params: {} });
      const decision = await new Promise((resolve) => questions.set(asked, resolve));
      out({ id, msg: { type: "decided", decision } });
    }
  }
  out({ id, msg: { type: "task_complete", seconds: 12, secs: 12 } });
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, op, result } = JSON.parse(line);
  if (result) questions.get(id)?.(result.decision);
  else if (op.type === "user_input") turn(id, op.text);
  else if (op.type === "echo") out({ id, msg: { type: "echo", same: op.session_id === session } });
}
