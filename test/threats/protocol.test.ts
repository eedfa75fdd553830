import { execFileSync } from "node:child_process";
import { closeSync, ftruncateSync, openSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { says } from "../support/model.js";
import { type Agent, type Place, startAgent } from "./support/agent.js";

const op = { type: "get_path" };
const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

/** Messages that a client may send in place of a submission, by the id of the case. */
const lines: [string, string | Buffer, RegExp][] = [
  ["PRO-01: a line that is not JSON", "hello there", /not JSON/],
  ["PRO-02: a cut line", '{"id":"x","op":{"type":"user_in', /not JSON/],
  ["PRO-05: NUL bytes", Buffer.alloc(1000), /not JSON/],
  ["PRO-05: NUL bytes in a line", '{"id":"x\u0000","op":{"type":"get_path"}}', /not JSON/],
  ["PRO-06: 100 000 levels", `{"id":"x","op":${deep(100_000)}}`, /nested|not JSON/],
  ["PRO-06: levels that do not end", `{"id":"x","op":${"[".repeat(100_000)}`, /nested|not JSON/],
  ["PRO-07: 64 MB in a line", `{"id":"x","op":"${"x".repeat(64e6)}"}`, /op/],
  ["PRO-07: more than that", `{"id":"x","op":"${"x".repeat(80e6)}"}`, /longer than 64 MiB/],
  ["PRO-09: an unknown op", '{"id":"x","op":{"type":"make_coffee"}}', /make_coffee/],
  ["PRO-10: wrong types", '{"id":"x","op":{"type":"user_input","items":7}}', /items/],
  ["PRO-11: a missing field", '{"id":"x","op":{"type":"user_input"}}', /items/],
  ["PRO-11: no id", '{"op":{"type":"get_path"}}', /id/],
  ["PRO-13: a type by the prototype", '{"id":"x","op":{"__proto__":{"type":"get_path"}}}', /type/],
  ["PRO-13: an op by the prototype", '{"id":"x","__proto__":{"op":{"type":"get_path"}}}', /op/],
  ["PRO-13: constructor", '{"id":"x","op":{"type":"constructor"}}', /constructor/],
  ["PRO-19: a list", '[{"id":"x","op":{"type":"get_path"}}]', /object/],
  ["PRO-19: a text", '"get_path"', /object/],
  ["PRO-19: a number", "7", /object/],
  ["PRO-19: null", "null", /object/],
];

test("every invalid line is answered, and the next turn works", async () => {
  await using agent = await startAgent({ model: [says("Still here.")] });
  await agent.until("session_configured");

  for (const [name, line, expected] of lines) {
    const before = errors(agent).length;
    agent.write(line);
    agent.write("\n\n   \n\r\n"); // PRO-03: blank lines are ignored
    agent.submit(name, op);
    await agent.until("conversation_path", name);
    const answers = errors(agent).slice(before);
    expect([name, answers]).toEqual([name, [expect.stringMatching(expected)]]);
  }
  const events = await agent.turn("t");

  expect(events.at(-1)).toMatchObject({ type: "task_complete", last_agent_message: "Still here." });
  expect(agent.peakMemory()).toBeLessThan(900e6);
  expect(agent.stderr()).toBe("");
}, 60_000);

test("PRO-12: unknown fields are ignored", async () => {
  await using agent = await startAgent();
  await agent.until("session_configured");

  agent.write(
    '{"id":"a","op":{"type":"get_path","more":{"deep":[1]},"toString":1},"extra":null}\n',
  );

  expect(await agent.until("conversation_path", "a")).toMatchObject({ path: expect.any(String) });
  expect(errors(agent)).toEqual([]);
});

test("PRO-21: a submission sent byte by byte is answered", async () => {
  await using agent = await startAgent();
  await agent.until("session_configured");
  const line = Buffer.from(`${JSON.stringify({ id: "slow ä€😀", op })}\n`);

  for (const byte of line) {
    agent.write(Buffer.from([byte]));
    await delay(1);
  }

  expect(await agent.until("conversation_path", "slow ä€😀")).toMatchObject({
    path: expect.any(String),
  });
});

describe("PRO-24: an invalid image", () => {
  const pictures: [string, (place: Place) => string][] = [
    ["a file of secrets", () => "/etc/shadow"],
    [
      "a pipe",
      ({ root }) => {
        execFileSync("mkfifo", [join(root, "pipe")]);
        return join(root, "pipe");
      },
    ],
    ["a device", () => "/dev/zero"],
    ["a link to a device", ({ root }) => linked(join(root, "link"), "/dev/zero")],
    ["a file of 4 GB", ({ root }) => sparse(join(root, "huge.png"))],
    ["a file that says it is empty and never ends", () => "/proc/self/pagemap"],
    [
      "a drawing with scripts",
      ({ root }) => {
        const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
        writeFileSync(join(root, "x.svg"), svg);
        return join(root, "x.svg");
      },
    ],
    ["nothing", ({ root }) => join(root, "nope.png")],
  ];

  test.each(pictures)("%s is not sent, and blocks nothing", async (_, make) => {
    let path = "";
    await using agent = await startAgent({
      model: [says("Still here.")],
      furnish(place) {
        path = make(place);
      },
    });
    const items = [
      { type: "text", text: "look" },
      { type: "local_image", path },
    ];

    const events = await agent.turn("t", { items });

    expect(events.at(-1)).toMatchObject({ last_agent_message: "Still here." });
    const sent = JSON.stringify(agent.model.requests[0]?.body);
    expect(sent).not.toContain("data:");
    expect(sent).not.toContain("root:");
    expect(sent.length).toBeLessThan(100_000);
    expect(agent.peakMemory()).toBeLessThan(300e6);
  });
});

function errors(agent: Agent): string[] {
  return agent.events.flatMap(({ msg }) => (msg.type === "error" ? [String(msg.message)] : []));
}

function linked(path: string, target: string): string {
  symlinkSync(target, path);
  return path;
}

function sparse(path: string): string {
  const descriptor = openSync(path, "w");
  ftruncateSync(descriptor, 4 * 1024 ** 3);
  closeSync(descriptor);
  return path;
}
