import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startTestCodex, type TestCodex, text } from "../support/codex.js";
import { calls, callsCustom, says } from "../support/model.js";

const plan = { collaboration_mode: { mode: "plan" } } as const;
const work = { collaboration_mode: { mode: "default" } } as const;

function touches(path: string, escalation: object = {}, callId = "t1") {
  return calls("shell", { command: ["touch", path], ...escalation }, callId);
}

function addsFile(path: string) {
  return callsCustom("apply_patch", `*** Begin Patch\n*** Add File: ${path}\n+new\n*** End Patch`);
}

function asked({ events }: TestCodex): string[] {
  return events.map(({ msg }) => msg.type as string).filter((type) => /request/.test(type));
}

function turn(mode: object) {
  return { type: "user_turn", items: text("go"), ...mode } as const;
}

const everything = { approval_policy: "on-request", sandbox_mode: "danger-full-access" } as const;

test("in plan mode commands cannot write, whatever the session allows", async () => {
  await using codex = await startTestCodex({
    config: everything,
    model: [touches("planned"), says("No."), touches("worked"), says("Done.")],
  });

  await codex.turn(turn(plan));
  await codex.turn(turn(work));

  expect(existsSync(join(codex.workspace, "planned"))).toBe(false);
  expect(existsSync(join(codex.workspace, "worked"))).toBe(true);
  expect(asked(codex)).toEqual([]);
});

test("in plan mode the model has no tool for patches, and a call is refused", async () => {
  await using codex = await startTestCodex({
    config: { ...everything, model: "gpt-5.1-codex" },
    model: [addsFile("planned.txt"), says("No."), addsFile("worked.txt"), says("Done.")],
  });

  await codex.turn(turn(plan));
  await codex.turn(turn(work));

  const offers = codex.prompts.map(({ tools }) => JSON.stringify(tools).includes("apply_patch"));
  expect(offers).toEqual([false, false, true, true]);
  expect(existsSync(join(codex.workspace, "planned.txt"))).toBe(false);
  expect(existsSync(join(codex.workspace, "worked.txt"))).toBe(true);
  expect(JSON.stringify(codex.prompts[1]?.input)).toContain("nothing may be changed in this turn");
});

test("in plan mode nobody is asked to let a command leave the sandbox", async () => {
  const escalation = { with_escalated_permissions: true, justification: "To write" };
  await using codex = await startTestCodex({
    config: { approval_policy: "on-request", sandbox_mode: "workspace-write" },
    model: [touches("planned", escalation), says("No.")],
  });

  await codex.turn(turn(plan));

  expect(asked(codex)).toEqual([]);
  expect(existsSync(join(codex.workspace, "planned"))).toBe(false);
});

test("a user who approves every command is asked in plan mode too, and the sandbox stays", async () => {
  await using codex = await startTestCodex({
    config: { approval_policy: "untrusted", sandbox_mode: "workspace-write" },
    model: [touches("planned"), says("No.")],
  });

  codex.submit(turn(plan));
  const { id, msg } = await codex.until("exec_approval_request");
  codex.submit({ type: "exec_approval", id: msg.call_id ?? id, decision: "approved_for_session" });
  await codex.until("task_complete");

  expect(asked(codex)).toEqual(["exec_approval_request"]);
  expect(existsSync(join(codex.workspace, "planned"))).toBe(false);
});

test("grants of the session do not hold in plan mode, and no more can be asked for", async () => {
  const wants = (callId: string) =>
    calls("request_permissions", { permissions: { file_system: { write: ["."] } } }, callId);
  await using codex = await startTestCodex({
    config: {
      approval_policy: "on-request",
      sandbox_mode: "read-only",
      features: { request_permissions_tool: true },
    },
    model: [wants("p1"), says("Thanks."), touches("planned"), wants("p2"), says("No.")],
  });

  codex.submit(turn(work));
  const { msg } = await codex.until("request_permissions");
  const response = { permissions: msg.permissions, scope: "session" } as const;
  codex.submit({ type: "request_permissions_response", id: msg.call_id, response });
  await codex.until("task_complete");
  await codex.turn(turn(plan));

  expect(asked(codex)).toEqual(["request_permissions"]);
  expect(existsSync(join(codex.workspace, "planned"))).toBe(false);
});

test("in plan mode the model cannot type into a process of an earlier turn", async () => {
  await using codex = await startTestCodex({
    config: { ...everything, features: { unified_exec: true } },
    model: [
      calls("exec_command", { cmd: "cat > typed", tty: true, yield_time_ms: 300 }, "e1"),
      says("Started."),
      calls("write_stdin", { session_id: 1000, chars: "hello\n" }, "w1"),
      says("No."),
    ],
  });
  await codex.turn(turn(work));
  const id = /session ID (\d+)/i.exec(JSON.stringify(codex.prompts[1]?.input))?.[1];

  await codex.turn(turn(plan));

  const output = (callId: string) =>
    JSON.stringify(
      codex.prompts
        .at(-1)
        ?.input.find((one) => "output" in one && "call_id" in one && one.call_id === callId),
    );
  expect(id).toBe("1000");
  expect(output("w1")).toContain("input rejected");
});

test("the model is told the limits of plan mode, and that they end", async () => {
  await using codex = await startTestCodex({ config: everything, model: [says("1"), says("2")] });

  await codex.turn(turn(plan));
  await codex.turn(turn(work));

  const modes = [...JSON.stringify(codex.prompts[1]?.input).matchAll(/<sandbox_mode>([\w-]+)</g)];
  expect(modes.map(([, mode]) => mode).slice(-2)).toEqual(["read-only", "danger-full-access"]);
});
