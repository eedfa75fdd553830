import { chmodSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { identities } from "../sandbox/support/confined.js";
import { startTestCodex, text } from "../support/codex.js";
import { says } from "../support/model.js";
import { type Agent, startAgent } from "./support/agent.js";
import { confinedTest } from "./support/confined-test.js";

const bwrap = ["/usr/bin/bwrap", "--dev-bind", "/", "/"];

describe.each(identities)("a read-only home, as %s", (identity) => {
  const model = [says("Hello."), says("Again.")];

  confinedTest("DSK-01: costs the record of the session and nothing else", async () => {
    await using agent = await startAgent({
      identity,
      model,
      wrapper: ({ home }) => [...bwrap, "--ro-bind", home, home, "--"],
    });

    await expectTwoTurns(agent);

    expect(warnings(agent).join("\n")).toContain(join(agent.home, "sessions"));
    expect(readdirSync(agent.home)).toEqual(["config.toml"]);
  });

  test.runIf(identity === "user")("DSK-01: is no other when it is so by its rights", async () => {
    await using agent = await startAgent({
      identity,
      model,
      furnish: ({ home }) => chmodSync(home, 0o555),
    });

    await expectTwoTurns(agent);

    expect(warnings(agent).join("\n")).toContain("EACCES");
    expect(readdirSync(agent.home)).toEqual(["config.toml"]);
  });
});

describe("DSK-02: a full device", () => {
  confinedTest("costs what does not fit, and the user is told", async () => {
    await using agent = await startAgent({
      model: [says("Hello."), says("Again.")],
      wrapper: ({ root, home }) => [
        ...bwrap,
        ...["--size", "4096", "--tmpfs", home],
        ...["--ro-bind", join(root, "config.toml"), join(home, "config.toml"), "--"],
      ],
      furnish: ({ root, home }) =>
        writeFileSync(join(root, "config.toml"), readFileSync(join(home, "config.toml"))),
    });

    agent.submit("h", { type: "add_to_history", text: "x".repeat(10_000) });
    const { message } = await agent.until("error", "h");
    await expectTwoTurns(agent);

    expect(message).toMatch(/^Could not add to the message history .*no space( is)? left/);
    expect(warnings(agent).join("\n")).toMatch(/Cannot write the conversation to .*: ENOSPC/);
  });

  test("in place of the history file is reported", async () => {
    await using agent = await startAgent({
      model: [says("Hello."), says("Again.")],
      furnish: ({ home }) => symlinkSync("/dev/full", join(home, "history.jsonl")),
    });

    agent.submit("h", { type: "add_to_history", text: "remember me" });
    const { message } = await agent.until("error", "h");
    await expectTwoTurns(agent);

    expect(message).toMatch(/^Could not add to the message history /);
  });
});

describe("DSK-05: a rollout", () => {
  const broken: [string, (bytes: Buffer) => Buffer][] = [
    ["whose last line is cut", (bytes) => bytes.subarray(0, bytes.length - 30)],
    ["with NUL bytes at its end", (bytes) => Buffer.concat([bytes, Buffer.alloc(4096)])],
    ["with NUL bytes in it", (bytes) => insert(bytes, 2, Buffer.concat([Buffer.alloc(100), nl]))],
    ["that is not UTF-8 in places", (bytes) => insert(bytes, 2, Buffer.from([0xff, 0xfe, 0x0a]))],
    ["with a broken line in its middle", (bytes) => insert(bytes, 2, Buffer.from('{"type":\n'))],
    ["with a line of another kind", (bytes) => insert(bytes, 2, Buffer.from("[1,2,3]\nnull\n"))],
  ];

  test.each(broken)("%s can be resumed, and skipped lines are reported", async (_, breakIt) => {
    await using first = await startTestCodex({ model: [says("One.")] });
    await first.turn({ type: "user_input", items: text("first") });
    await first.shutdown();
    const configured = first.events[0]?.msg;
    const path = configured?.type === "session_configured" ? configured.rollout_path : "";
    writeFileSync(path, breakIt(readFileSync(path)));
    await using second = await startTestCodex({ model: [says("Two.")], configure: false });

    second.submit({ type: "configure_session", resume_path: path });
    await second.until("session_configured");
    const { msg } = await second.until("warning");
    const events = await second.turn({ type: "user_input", items: text("second") });

    expect(msg.message).toContain(path);
    expect(events.at(-1)).toMatchObject({ type: "task_complete", last_agent_message: "Two." });
    expect(JSON.stringify(second.prompts[0]?.input)).toContain('"first"');
    expect(JSON.stringify(second.prompts[0]?.input)).toContain("One.");
  });
});

test("DSK-06: eight processes that add hundreds of history entries each lose none", async () => {
  await using first = await startAgent();
  const env = { CODEX_HOME: first.home };
  const others = await Promise.all(Array.from({ length: 7 }, () => startAgent({ env })));
  const numbers = Array.from({ length: 1_000 }, (_, number) => number);
  try {
    await Promise.all([first, ...others].map((agent, index) => remember(agent, index)));
  } finally {
    for (const other of others) await other[Symbol.asyncDispose]();
  }

  const lines = readFileSync(join(first.home, "history.jsonl"), "utf8").split("\n");
  expect(lines.pop()).toBe("");
  const entries = lines.map((line) => (JSON.parse(line) as { text: string }).text.split(" "));
  for (let index = 0; index < 8; index++) {
    const own = entries.filter(([name]) => name === String(index));
    expect(own.map(([, number]) => Number(number))).toEqual(numbers);
  }
  expect(lines).toHaveLength(8 * numbers.length);

  async function remember(agent: Agent, index: number): Promise<void> {
    for (const number of numbers) {
      agent.submit("h", { type: "add_to_history", text: `${index} ${number} ${"x".repeat(200)}` });
    }
    agent.submit("end", { type: "get_path" });
    await agent.until("conversation_path", "end");
    expect(agent.events.filter(({ msg }) => msg.type === "error")).toEqual([]);
  }
}, 60_000);

const nl = Buffer.from("\n");

/** Inserts bytes before a line. */
function insert(bytes: Buffer, line: number, more: Buffer): Buffer {
  let at = 0;
  for (let count = 0; count < line; count++) at = bytes.indexOf("\n", at) + 1;
  return Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]);
}

async function expectTwoTurns(agent: Agent): Promise<void> {
  const turns = [await agent.turn("t1"), await agent.turn("t2")];
  expect(turns.map((events) => events.at(-1)?.last_agent_message)).toEqual(["Hello.", "Again."]);
  agent.child.stdin.end();
  expect(await agent.exit).toEqual({ code: 0, signal: null });
  expect(agent.stderr()).toBe("");
}

function warnings(agent: Agent): string[] {
  return agent.events.flatMap(({ msg }) => (msg.type === "warning" ? [String(msg.message)] : []));
}
