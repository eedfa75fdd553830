import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { EventMsg } from "../../../src/protocol/types.js";
import { startTestCodex, type TestCodex, text } from "../../support/codex.js";
import { calls, says } from "../../support/model.js";

const touch = ["touch", "made.txt"];
const go = { type: "user_input", items: text("go") } as const;

describe("running commands", () => {
  test("a command emits its begin and end, and the model gets its output", async () => {
    const command = ["bash", "-c", "echo out; echo err >&2; exit 3"];
    await using codex = await startTestCodex({
      model: [calls("shell", { command }), says("Done.")],
    });

    const events = await codex.turn(go);

    const emitted = events.filter((msg) => msg.type.startsWith("exec_command"));
    expect(emitted.at(0)).toMatchObject({
      type: "exec_command_begin",
      command,
      cwd: codex.workspace,
    });
    expect(emitted.at(-1)).toMatchObject({
      type: "exec_command_end",
      stdout: "out\n",
      stderr: "err\n",
      exit_code: 3,
    });
    const chunks = emitted.flatMap((msg) =>
      msg.type === "exec_command_output_delta" ? [`${msg.stream} ${atob(msg.chunk)}`] : [],
    );
    expect(chunks.sort()).toEqual(["stderr err\n", "stdout out\n"]);
    expect(JSON.parse(lastOutput(codex))).toMatchObject({ metadata: { exit_code: 3 } });
  });

  test.each([
    ["0.45", "e\no\n"],
    ["0.104", "o\ne\n"],
  ] as const)("in %s the output of both streams is %j", async (era, aggregated_output) => {
    const script = "echo e >&2; until [ -e go ]; do sleep 0.01; done; echo o";
    await using codex = await startTestCodex({
      era,
      model: [calls("shell", { command: ["bash", "-c", script] }), says("Done.")],
    });

    const turn = codex.turn(go);
    await codex.until("exec_command_output_delta");
    writeFileSync(join(codex.workspace, "go"), "");
    const events = await turn;

    expect(endOf(events)).toMatchObject({ stdout: "o\n", stderr: "e\n", aggregated_output });
    expect(JSON.parse(lastOutput(codex))).toMatchObject({ output: aggregated_output });
  });

  test.each(["0.42", "0.45"] as const)(
    "in %s the failure of a known safe command is its own, and not the sandbox's",
    async (era) => {
      await using codex = await startTestCodex({
        era,
        model: [calls("shell", { command: ["ls", "missing"] }), says("Done.")],
        config: { approval_policy: "untrusted", sandbox_mode: "read-only" },
      });

      const events = await codex.turn(go);

      expect(events.map((msg) => msg.type)).not.toContain("exec_approval_request");
      expect(endOf(events)).toMatchObject({ exit_code: 2 });
      expect(JSON.parse(lastOutput(codex))).toMatchObject({ metadata: { exit_code: 2 } });
    },
  );

  test.each([
    ["0.39", false],
    ["0.42", true],
    ["0.45", true],
  ] as const)(
    "in %s a dangerous command is refused if no one is asked: %s",
    async (era, refused) => {
      await using codex = await startTestCodex({
        era,
        model: [calls("shell", { command: ["rm", "-rf", "missing"] }), says("Done.")],
        config: { approval_policy: "never", sandbox_mode: "workspace-write" },
      });

      await codex.turn(go);

      expect(lastOutput(codex).startsWith("exec command rejected: ")).toBe(refused);
    },
  );

  test("a time-out ends the command with 124 and is reported", async () => {
    const command = ["bash", "-c", "echo before; sleep 60"];
    await using codex = await startTestCodex({
      model: [calls("shell", { command, timeout_ms: 300 }), says("Done.")],
    });

    const events = await codex.turn(go);

    expect(endOf(events)).toMatchObject({ exit_code: 124, stdout: "before\n" });
    expect(lastOutput(codex)).toContain("command timed out after");
  });

  test("an interrupt ends the command and everything it started", async () => {
    const mark = `quire-${process.pid}-${Math.random()}`;
    const command = ["bash", "-c", `setsid sleep 300.${mark.length} & exec -a ${mark} sleep 300`];
    await using codex = await startTestCodex({
      model: [calls("shell", { command, timeout_ms: 60000 })],
    });
    codex.submit(go);
    await codex.until("exec_command_begin");

    codex.submit({ type: "interrupt" });
    await codex.until("turn_aborted");
    await codex.shutdown();

    expect(processesNamed(mark)).toEqual([]);
  });

  test("variables that look like secrets do not reach commands", async () => {
    await using codex = await startTestCodex({
      model: [calls("shell", { command: ["env"] }), says("Done.")],
      env: { MY_API_KEY: "s3cret-value", PLAIN: "visible" },
    });

    const events = await codex.turn(go);

    expect(endOf(events)?.stdout).toContain("PLAIN=visible");
    expect(endOf(events)?.stdout).not.toContain("s3cret-value");
  });
});

describe("approvals", () => {
  const untrusted = { approval_policy: "untrusted" };

  test.each(["call id", "submission id"])("an answer by %s lets the command run", async (by) => {
    await using codex = await startTestCodex({
      model: [calls("shell", { command: touch }), says("Done.")],
      config: untrusted,
    });
    const id = codex.submit(go);
    const request = await codex.until("exec_approval_request");

    codex.submit({ type: "exec_approval", id: by === "call id" ? "c1" : id, decision: "approved" });
    await codex.until("task_complete");

    expect(request.msg).toMatchObject({ call_id: "c1", command: touch, cwd: codex.workspace });
    expect(existsSync(join(codex.workspace, "made.txt"))).toBe(true);
  });

  test("a denied command does not run, and the model is informed", async () => {
    await using codex = await startTestCodex({
      model: [calls("shell", { command: touch }), says("Understood.")],
      config: untrusted,
    });
    codex.submit(go);
    await codex.until("exec_approval_request");

    codex.submit({ type: "exec_approval", id: "c1", decision: "denied" });
    await codex.until("task_complete");

    expect(existsSync(join(codex.workspace, "made.txt"))).toBe(false);
    expect(lastOutput(codex)).toBe("exec command rejected by user");
    expect(codex.events.map(({ msg }) => msg.type)).not.toContain("exec_command_begin");
  });

  test("abort ends the task without running anything", async () => {
    await using codex = await startTestCodex({
      model: [calls("shell", { command: touch })],
      config: untrusted,
    });
    codex.submit(go);
    await codex.until("exec_approval_request");

    codex.submit({ type: "exec_approval", id: "c1", decision: "abort" });
    await codex.until("turn_aborted");

    expect(existsSync(join(codex.workspace, "made.txt"))).toBe(false);
  });

  test("approved for the session covers the same words again, and no others", async () => {
    await using codex = await startTestCodex({
      model: [
        calls("shell", { command: touch }, "c1"),
        calls("shell", { command: touch }, "c2"),
        calls("shell", { command: ["touch", "other.txt"] }, "c3"),
        says("Done."),
      ],
      config: untrusted,
    });
    codex.submit(go);
    await codex.until("exec_approval_request");
    codex.submit({ type: "exec_approval", id: "c1", decision: "approved_for_session" });

    const second = await codex.until("exec_approval_request");
    codex.submit({ type: "exec_approval", id: "c3", decision: "denied" });
    await codex.until("task_complete");

    expect(second.msg.call_id).toBe("c3");
  });

  test("a waiting approval that is interrupted is over, and a late answer is an error", async () => {
    await using codex = await startTestCodex({
      model: [calls("shell", { command: touch }), says("Next.")],
      config: untrusted,
    });
    codex.submit(go);
    await codex.until("exec_approval_request");

    codex.submit({ type: "interrupt" });
    await codex.until("turn_aborted");
    codex.submit({ type: "exec_approval", id: "c1", decision: "approved" }, "late");
    const { id, msg } = await codex.until("error");

    expect({ id, message: msg.message }).toEqual({
      id: "late",
      message: "No command waits for approval as c1",
    });
    expect(existsSync(join(codex.workspace, "made.txt"))).toBe(false);
  });

  test("asking for more than the policy allows is refused before anyone is asked", async () => {
    const args = { command: touch, with_escalated_permissions: true, justification: "please" };
    await using codex = await startTestCodex({ model: [calls("shell", args), says("Done.")] });

    await codex.turn(go);

    expect(lastOutput(codex)).toContain("you should not ask for escalated permissions");
    expect(existsSync(join(codex.workspace, "made.txt"))).toBe(false);
  });

  test("the user sees the model's reason for leaving the sandbox", async () => {
    const args = { command: touch, with_escalated_permissions: true, justification: "It must." };
    await using codex = await startTestCodex({
      model: [calls("shell", args), says("Done.")],
      config: { approval_policy: "on-request", sandbox_mode: "read-only" },
    });
    codex.submit(go);

    const { msg } = await codex.until("exec_approval_request");
    codex.submit({ type: "exec_approval", id: "c1", decision: "approved" });
    await codex.until("task_complete");

    expect(msg.reason).toBe("It must.");
    expect(existsSync(join(codex.workspace, "made.txt"))).toBe(true);
  });
});

describe("patches", () => {
  const patch = (name: string) => ({
    command: ["apply_patch", `*** Begin Patch\n*** Add File: ${name}\n+one\n*** End Patch`],
  });

  test("a patch in the workspace is applied, reported and shown as a diff", async () => {
    await using codex = await startTestCodex({
      model: [calls("shell", patch("new.txt")), says("Done.")],
      config: { sandbox_mode: "workspace-write" },
    });

    const events = await codex.turn(go);

    expect(readFileSync(join(codex.workspace, "new.txt"), "utf8")).toBe("one\n");
    const path = join(codex.workspace, "new.txt");
    expect(events.filter(({ type }) => /patch|diff/.test(type))).toMatchObject([
      {
        type: "patch_apply_begin",
        auto_approved: true,
        changes: { [path]: { type: "add", content: "one\n" } },
      },
      { type: "patch_apply_end", success: true },
      { type: "turn_diff", unified_diff: expect.stringContaining("+one") },
    ]);
  });

  test("a patch outside the writable folders requests the folder with a reason", async () => {
    await using codex = await startTestCodex({
      model: [
        calls("shell", patch("../home/a.md"), "c1"),
        calls("shell", patch("../home/b.md"), "c2"),
        says("Done."),
      ],
      config: {
        approval_policy: "on-request",
        sandbox_mode: "workspace-write",
        sandbox_workspace_write: { exclude_slash_tmp: true, exclude_tmpdir_env_var: true },
      },
    });
    codex.submit(go);

    const { msg } = await codex.until("apply_patch_approval_request");
    codex.submit({ type: "patch_approval", id: "c1", decision: "approved_for_session" });
    await codex.until("task_complete");

    expect(msg).toMatchObject({ grant_root: codex.home, reason: expect.stringContaining("a.md") });
    expect(existsSync(join(codex.home, "b.md"))).toBe(true);
  });

  test("a read-only policy that never asks refuses the patch and leaves the files alone", async () => {
    await using codex = await startTestCodex({
      model: [calls("shell", patch("new.txt")), says("Done.")],
      config: { sandbox_mode: "read-only" },
    });

    await codex.turn(go);

    expect(existsSync(join(codex.workspace, "new.txt"))).toBe(false);
    expect(lastOutput(codex)).toBe(
      "patch rejected: writing outside of the project; rejected by user approval settings",
    );
  });

  test("a patch that does not fit changes nothing", async () => {
    const bad =
      "*** Begin Patch\n*** Update File: a.txt\n@@\n-nope\n+y\n*** Add File: b.txt\n+x\n*** End Patch";
    await using codex = await startTestCodex({
      model: [calls("apply_patch", { input: bad }), says("Done.")],
    });
    writeFileSync(join(codex.workspace, "a.txt"), "alpha\n");

    const events = await codex.turn(go);

    expect(readFileSync(join(codex.workspace, "a.txt"), "utf8")).toBe("alpha\n");
    expect(existsSync(join(codex.workspace, "b.txt"))).toBe(false);
    expect(events.map(({ type }) => type)).not.toContain("patch_apply_begin");
    expect(lastOutput(codex)).toContain("Failed to find expected lines");
  });
});

function endOf(events: readonly EventMsg[]) {
  return events.find((msg) => msg.type === "exec_command_end");
}

/** Output of the last call for the model. */
function lastOutput(codex: TestCodex): string {
  const outputs = codex.prompts
    .at(-1)
    ?.input.flatMap((item) => ("output" in item ? [item.output] : []));
  return String(outputs?.at(-1));
}

function processesNamed(mark: string): string[] {
  const { execFileSync } = process.getBuiltinModule("node:child_process");
  const all = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).split("\n");
  return all.filter((line) => line.includes(mark) && !line.includes("ps -eo"));
}
