import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startTestCodex, type TestCodex, text } from "../../support/codex.js";
import { calls, says } from "../../support/model.js";

const add = (path: string, line = "hello") =>
  `*** Begin Patch\n*** Add File: ${path}\n+${line}\n*** End Patch`;
const update = "*** Begin Patch\n*** Update File: a.txt\n@@\n-old\n+new\n*** End Patch";

const patchCall = (input: string, id = "c1") => calls("apply_patch", { input }, id);

function typesOf(codex: TestCodex): string[] {
  return codex.events.map(({ msg }) => msg.type).filter((type) => /patch|turn_diff/.test(type));
}

/** The output of the last call, as the model got it. */
function outputOf({ prompts }: TestCodex): string {
  const item = prompts.at(-1)?.input.find(({ type }) => type === "function_call_output");
  return JSON.stringify(item && "output" in item ? item.output : undefined);
}

const workspaceOnly = { sandbox_mode: "workspace-write", approval_policy: "on-request" };

test("a patch in the workspace is applied without an approval", async () => {
  await using codex = await startTestCodex({
    model: [patchCall(add("new.txt")), says("Done.")],
    config: workspaceOnly,
  });

  await codex.turn({ type: "user_input", items: text("go") });

  expect(typesOf(codex)).toEqual(["patch_apply_begin", "patch_apply_end", "turn_diff"]);
  expect(codex.events.find(({ msg }) => msg.type === "patch_apply_begin")?.msg).toMatchObject({
    auto_approved: true,
    call_id: "c1",
  });
  expect(await readFile(join(codex.workspace, "new.txt"), "utf8")).toBe("hello\n");
});

describe("a patch under the untrusted policy", () => {
  const start = (decisionless = {}) =>
    startTestCodex({
      model: [
        patchCall(update),
        patchCall(update.replace("old", "new").replace("+new", "+newer"), "c2"),
        says("Done."),
      ],
      config: { ...workspaceOnly, approval_policy: "untrusted" },
      ...decisionless,
    });

  test("is applied after the approval, exactly as shown", async () => {
    await using codex = await start();
    const file = join(codex.workspace, "a.txt");
    await writeFile(file, "old\n");
    codex.submit({ type: "user_input", items: text("go") });
    const { msg } = await codex.until("apply_patch_approval_request");
    expect(await readFile(file, "utf8")).toBe("old\n");

    codex.submit({ type: "patch_approval", id: msg.call_id, decision: "approved" });
    const end = await codex.until("patch_apply_end");

    expect(Object.keys(msg.changes)).toEqual([file]);
    expect(end.msg.success).toBe(true);
    expect(await readFile(file, "utf8")).toBe("new\n");
  });

  test("changes nothing if it is denied, and the model is informed", async () => {
    await using codex = await start({ model: [patchCall(update), says("Done.")] });
    const file = join(codex.workspace, "a.txt");
    await writeFile(file, "old\n");
    codex.submit({ type: "user_input", items: text("go") });
    await codex.until("apply_patch_approval_request");

    codex.submit({ type: "patch_approval", id: "c1", decision: "denied" });
    await codex.until("task_complete");

    expect(await readFile(file, "utf8")).toBe("old\n");
    expect(outputOf(codex)).toContain("patch rejected by user");
  });

  test("an approval for the session covers later patches of the same file", async () => {
    await using codex = await start();
    await writeFile(join(codex.workspace, "a.txt"), "old\n");
    codex.submit({ type: "user_input", items: text("go") });
    await codex.until("apply_patch_approval_request");

    codex.submit({ type: "patch_approval", id: "c1", decision: "approved_for_session" });
    await codex.until("task_complete");

    expect(typesOf(codex).filter((type) => type === "apply_patch_approval_request")).toHaveLength(
      1,
    );
    expect(await readFile(join(codex.workspace, "a.txt"), "utf8")).toBe("newer\n");
  });
});

test("a patch that does not apply changes nothing and asks nothing", async () => {
  await using codex = await startTestCodex({
    model: [patchCall(update), says("Done.")],
    config: { ...workspaceOnly, approval_policy: "untrusted" },
  });
  await writeFile(join(codex.workspace, "a.txt"), "other\n");

  await codex.turn({ type: "user_input", items: text("go") });

  expect(typesOf(codex)).toEqual([]);
  expect(await readFile(join(codex.workspace, "a.txt"), "utf8")).toBe("other\n");
  expect(outputOf(codex)).toContain("Failed to find expected lines");
});

test("under the never policy a patch outside the workspace is rejected without asking", async () => {
  await using codex = await startTestCodex({
    model: [patchCall(add("/elsewhere/x.txt")), says("Done.")],
    config: { sandbox_mode: "workspace-write", approval_policy: "never" },
  });

  await codex.turn({ type: "user_input", items: text("go") });

  expect(typesOf(codex)).toEqual([]);
  expect(outputOf(codex)).toContain("patch rejected");
});
