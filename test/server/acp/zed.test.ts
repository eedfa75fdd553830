import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { AcpSchema } from "../../support/acp-schema.js";
import { calls, hangs, says } from "../../support/model.js";
import { startProgram } from "../../support/program.js";

const fixture = resolve(import.meta.dirname, "../../fixtures/acp/zed.jsonl");
const patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-typed\n+patched\n*** End Patch";

interface Step {
  send?: object;
  /** Part of a message that must follow; others in between are passed over. */
  expect?: object;
  /** Answer to the next request of the agent, which must have this method. */
  answer?: { method: string; result: unknown };
}

interface Message {
  id?: number;
  method?: string;
  result?: { sessionId?: string };
}

test("a conversation of Zed: files, permissions, terminals, cancel and load", async () => {
  await using program = await startProgram({
    args: ["acp", "-c", "model=gpt-5.5"],
    model: [
      [{ apply_patch: patch }],
      calls("exec_command", { cmd: "echo shown" }, "c2"),
      says("Changed."),
      hangs(says("Well")),
    ],
  });
  await writeFile(join(program.workspace, "a.txt"), "saved\n");
  const schema = new AcpSchema();
  let sessionId = "";
  let read = 0;
  const lines = (await readFile(fixture, "utf8")).trim().split("\n");
  for (const line of lines) {
    const text = line.replaceAll("WORKSPACE", program.workspace);
    const step = JSON.parse(sessionId ? text.replaceAll("SESSION", sessionId) : text) as Step;
    const next = async (fits: (message: Message) => boolean): Promise<Message> => {
      const found = await program.until<Message>(fits, read);
      read = program.lines.indexOf(found) + 1;
      return found;
    };
    if (step.send) {
      schema.sent(step.send as never);
      program.send(step.send);
    } else if (step.answer) {
      const { method, result } = step.answer;
      const request = await next((message) => message.method !== undefined && "id" in message);
      expect(request.method).toBe(method);
      program.send({ jsonrpc: "2.0", id: request.id, result });
    } else {
      const wanted = step.expect as Message;
      const found = await next((message) => matches(message, wanted));
      sessionId ||= found.result?.sessionId ?? "";
    }
  }
  program.child.stdin.end();
  expect(await program.exit).toMatchObject({ code: 0 });
  for (const line of program.lines) schema.received(line as never);
  expect(schema.problems).toEqual([]);
  const [first] = program.model.requests;
  expect(JSON.stringify(first?.body)).toContain(`[@a.txt](${program.workspace}/a.txt)`);
}, 60_000);

/** Returns true if a value has all parts of another; the id of a session matches any. */
function matches(value: unknown, wanted: unknown): boolean {
  if (wanted === "SESSION") return typeof value === "string";
  if (typeof wanted !== "object" || wanted === null) return value === wanted;
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(wanted).every(([key, part]) =>
    matches((value as Record<string, unknown>)[key], part),
  );
}
