import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ThreadEvent } from "../../src/client/index.js";
import { defineTool, ok, parameters } from "../../src/tools/index.js";
import { spawn, wait } from "../support/agents.js";
import { startCodex } from "../support/library.js";
import { both, calls, callsCustom, fails, hangs, reasons, says } from "../support/model.js";

const runs = (cmd: string, more: object = {}, call_id = "c1") =>
  calls("exec_command", { cmd, ...more }, call_id);

test("a turn runs to its end", async () => {
  await using codex = await startCodex([both(reasons("**Hm**"), says("Hello."))]);
  const thread = codex.startThread();
  expect(thread.id).toBeNull();

  const { items, finalResponse, usage } = await thread.run("hi");

  expect(thread.id).toMatch(/^[0-9a-f-]{36}$/);
  expect(finalResponse).toBe("Hello.");
  expect(items.filter(({ type }) => type !== "error").map(({ type }) => type)).toEqual([
    "reasoning",
    "agent_message",
  ]);
  expect(usage?.output_tokens).toBeGreaterThan(0);
});

test("a turn is streamed while it runs", async () => {
  await using codex = await startCodex([runs("echo hi"), says("Done.")]);
  const { events } = await codex.startThread().runStreamed("go");

  const types: string[] = [];
  for await (const event of events) types.push(nameOf(event));

  expect(types.filter((name) => name !== "item.completed error")).toEqual([
    "thread.started",
    "turn.started",
    "item.started command_execution",
    "item.completed command_execution",
    "item.completed agent_message",
    "turn.completed",
  ]);
});

test("a thread continues with its next turn, and by id", async () => {
  await using codex = await startCodex([says("one"), says("two"), says("three")]);
  const thread = codex.startThread();
  await thread.run("first");
  await thread.run("second");

  const { finalResponse } = await codex.resumeThread(thread.id ?? "").run("third");

  expect(finalResponse).toBe("three");
});

test("a turn that fails rejects with its reason", async () => {
  await using codex = await startCodex([fails(400, { error: { message: "bad thing" } })]);

  await expect(codex.startThread().run("hi")).rejects.toThrow("bad thing");
});

test("a signal interrupts the turn", async () => {
  await using codex = await startCodex([hangs(says("half")), says("again")]);
  const stop = new AbortController();
  const thread = codex.startThread();
  const { events } = await thread.runStreamed("hi", { signal: stop.signal });

  const reading = (async () => {
    for await (const event of events) {
      if (event.type === "turn.started") await codex.asked().then(() => stop.abort());
    }
  })();

  await expect(reading).rejects.toThrow("aborted");
  expect((await thread.run("once more")).finalResponse).toBe("again");
});

test("leaving the loop interrupts the turn", async () => {
  await using codex = await startCodex([hangs(says("half")), says("again")]);
  const thread = codex.startThread();
  const { events } = await thread.runStreamed("hi");

  for await (const event of events) {
    if (event.type !== "turn.started") continue;
    await codex.asked();
    break;
  }

  expect((await thread.run("once more")).finalResponse).toBe("again");
});

test("one turn of a thread runs at a time", async () => {
  await using codex = await startCodex([says("a")]);
  const thread = codex.startThread();
  const first = thread.run("one");

  await expect(thread.run("two")).rejects.toThrow("A turn of this thread is running");
  expect((await first).finalResponse).toBe("a");
});

test("`onApproval` decides on commands; without it none is approved", async () => {
  const ask = { sandbox_permissions: "require_escalated", justification: "why not" };
  await using codex = await startCodex([
    both(runs("touch yes", ask, "c1"), runs("touch no", ask, "c2")),
    says("Done."),
  ]);
  const asked: unknown[] = [];
  const thread = codex.startThread({
    sandboxMode: "read-only",
    approvalPolicy: "on-request",
    onApproval(request) {
      const command = request.kind === "command" ? request.command : "";
      asked.push({ kind: request.kind, reason: request.reason, threadId: request.threadId });
      return command.includes("yes") ? "approve" : "deny";
    },
  });

  await thread.run("go");

  const question = { kind: "command", reason: "why not", threadId: thread.id };
  expect(asked).toEqual([question, question]);
  const names = ["yes", "no"].map((name) => existsSync(join(codex.workspace, name)));
  expect(names).toEqual([true, false]);
});

test.each([
  ["is asked, and its refusal holds", { onApproval: () => "deny" }],
  ["is not there, so that nothing is approved", {}],
] as const)("for an agent of a thread `onApproval` %s", async (_, options) => {
  const script = {
    answers: [[spawn("one")], wait, says("Done.")],
    agents: { "*": [runs("touch made"), says("done")] },
  };
  await using codex = await startCodex(script);
  const asked: string[] = [];
  const thread = codex.startThread({
    model: "gpt-6-sol",
    sandboxMode: "workspace-write",
    approvalPolicy: "untrusted",
    ...("onApproval" in options && {
      onApproval(request) {
        asked.push(request.threadId);
        return options.onApproval();
      },
    }),
  });

  const { finalResponse } = await thread.run("go");

  expect(finalResponse).toBe("Done.");
  expect(asked).toHaveLength("onApproval" in options ? 1 : 0);
  expect(asked).not.toContain(thread.id);
  expect(existsSync(join(codex.workspace, "made"))).toBe(false);
});

test("`onApproval` decides on file changes by their content", async () => {
  const patch = "*** Begin Patch\n*** Add File: new.txt\n+hello\n*** End Patch";
  await using codex = await startCodex([callsCustom("apply_patch", patch), says("Done.")]);
  const asked: unknown[] = [];
  const thread = codex.startThread({
    sandboxMode: "read-only",
    approvalPolicy: "untrusted",
    onApproval(request) {
      if (request.kind === "file_change") asked.push(...request.changes);
      return "approve";
    },
  });

  const { items } = await thread.run("go");

  const path = join(codex.workspace, "new.txt");
  expect(asked).toEqual([{ path, kind: { type: "add" }, diff: "hello\n" }]);
  expect(items).toContainEqual(
    expect.objectContaining({ type: "file_change", status: "completed" }),
  );
  expect(existsSync(path)).toBe(true);
});

test.each([
  ["approve", true, false],
  ["approve_for_session", true, true],
  ["deny", false, false],
] as const)("%s decides on permissions", async (decision, now, later) => {
  const permissions = { file_system: { write: ["."] } };
  await using codex = await startCodex([
    calls("request_permissions", { permissions, reason: "why not" }),
    runs("touch now"),
    says("Done."),
    runs("touch later"),
    says("Done."),
  ]);
  const asked: unknown[] = [];
  const thread = codex.startThread({
    sandboxMode: "read-only",
    approvalPolicy: "on-request",
    config: { features: { request_permissions_tool: true } },
    onApproval(request) {
      if (request.kind === "permissions") asked.push(request.permissions.fileSystem?.write);
      return decision;
    },
  });

  await thread.run("go");
  await thread.run("go on");

  expect(asked).toEqual([[codex.workspace]]);
  const made = ["now", "later"].map((name) => existsSync(join(codex.workspace, name)));
  expect(made).toEqual([now, later]);
});

test("an approver of permissions can end the turn", async () => {
  const permissions = { network: { enabled: true } };
  await using codex = await startCodex([calls("request_permissions", { permissions })]);
  const thread = codex.startThread({
    sandboxMode: "read-only",
    approvalPolicy: "on-request",
    config: { features: { request_permissions_tool: true } },
    onApproval: () => "abort",
  });

  await expect(thread.run("go")).rejects.toThrow("The turn was interrupted");
});

test("an approver can end the turn", async () => {
  const ask = { sandbox_permissions: "require_escalated", justification: "why not" };
  await using codex = await startCodex([runs("touch no", ask), says("Done.")]);
  const thread = codex.startThread({ sandboxMode: "read-only", onApproval: () => "abort" });

  await expect(thread.run("go")).rejects.toThrow("The turn was interrupted");
});

test("an error of the approver ends the turn and rejects the run", async () => {
  const ask = { sandbox_permissions: "require_escalated", justification: "why not" };
  await using codex = await startCodex([runs("touch no", ask), says("Done.")]);
  const thread = codex.startThread({
    sandboxMode: "read-only",
    onApproval() {
      throw new Error("the policy is broken");
    },
  });

  await expect(thread.run("go")).rejects.toThrow("the policy is broken");
});

test("client tools run in this process, and their failures reach the model", async () => {
  const double = defineTool({
    name: "double",
    description: "Doubles a number.",
    input: parameters({ of: { type: "number" } }, ["of"]),
    async run({ of }) {
      if (of < 0) throw new Error("not below zero");
      return ok(String(of * 2));
    },
  });
  await using codex = await startCodex([
    calls("double", { of: 21 }, "c1"),
    calls("double", { of: -1 }, "c2"),
    calls("double", { of: "x" }, "c3"),
    says("42."),
  ]);

  const { items } = await codex.startThread({ tools: [double] }).run("double 21");

  expect(items.filter(({ type }) => type === "tool_call")).toMatchObject([
    { tool: "double", arguments: { of: 21 }, output: "42", status: "completed" },
    { output: "not below zero", status: "failed" },
    { output: expect.stringContaining("failed to parse function arguments"), status: "failed" },
  ]);
});

test("many threads run at once on one server", async () => {
  const count = 20;
  await using codex = await startCodex(Array.from({ length: count }, () => says("ok")));

  const threads = Array.from({ length: count }, () => codex.startThread({ ephemeral: true }));
  const results = await Promise.all(threads.map((thread) => thread.run("hi")));

  expect(results.map(({ finalResponse }) => finalResponse)).toEqual(Array(count).fill("ok"));
  expect(new Set(threads.map(({ id }) => id)).size).toBe(count);
});

function nameOf(event: ThreadEvent): string {
  return "item" in event ? `${event.type} ${event.item.type}` : event.type;
}
