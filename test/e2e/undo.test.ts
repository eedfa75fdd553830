import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { calls, says } from "../support/model.js";
import { type Program, startProgram } from "../support/program.js";
import { queueClient } from "../support/queue-client.js";

const script = "echo new > a.txt; echo b > b.txt";
const model = [calls("shell", { command: ["sh", "-c", script] }), says("Done.")];

/** Runs a turn that changes a file and creates one. */
async function takeTurn(program: Program) {
  const client = queueClient(program);
  client.submit("1", { type: "user_input", items: [{ type: "text", text: "go" }] });
  await client.until("1", "task_complete");
  return client;
}

const start = (config: string, env = {}) => startProgram({ args: ["proto"], model, config, env });

describe("the op undo", () => {
  test.each(["0.166", "0.104"])("restores the files of the last turn, in era %s", async (era) => {
    await using program = await start("features.undo = true\n", { QUIRE_ERA: era });
    const file = join(program.workspace, "a.txt");
    writeFileSync(file, "old\n");
    const client = await takeTurn(program);

    client.submit("2", { type: "undo" });
    await client.until("2", "undo_started");
    const { msg } = await client.until("2", "undo_completed");

    expect(msg).toMatchObject({ success: true });
    expect(readFileSync(file, "utf8")).toBe("old\n");
    expect(existsSync(join(program.workspace, "b.txt"))).toBe(false);

    client.submit("3", { type: "undo" });
    expect((await client.until("3", "undo_completed")).msg).toMatchObject({
      success: false,
      message: "No checkpoint to undo.",
    });
  });

  test("restores the workspace if a profile opens all files but one", async () => {
    const open =
      'default_permissions = "open"\n[permissions.open]\nextends = ":danger-full-access"\n';
    await using program = await start(`${open}filesystem = { "/nowhere/secret" = "deny" }\n`);
    const file = join(program.workspace, "a.txt");
    writeFileSync(file, "old\n");
    const client = await takeTurn(program);
    expect(readFileSync(file, "utf8")).toBe("new\n");

    client.submit("2", { type: "undo" });

    expect((await client.until("2", "undo_completed")).msg).toMatchObject({ success: true });
    expect(readFileSync(file, "utf8")).toBe("old\n");
  });

  test("leaves a file that somebody else has changed since as it is", async () => {
    await using program = await start("features.undo = true\n");
    const file = join(program.workspace, "a.txt");
    const client = await takeTurn(program);
    writeFileSync(file, "of the user\n");

    client.submit("2", { type: "undo" });

    const { msg } = await client.until("2", "undo_completed");
    expect(msg).toMatchObject({ success: false, message: expect.stringContaining("a.txt") });
    expect(readFileSync(file, "utf8")).toBe("of the user\n");
  });

  test.each([
    ["without features.undo nothing is stored", "features.undo = false\n", false],
    [
      "limits of ghost_snapshot alone store nothing",
      "ghost_snapshot.disable_warnings = true\nfeatures.undo = false\n",
      false,
    ],
  ])("%s", async (_name, config, success) => {
    await using program = await start(config);
    const client = await takeTurn(program);

    client.submit("2", { type: "undo" });

    expect((await client.until("2", "undo_completed")).msg).toMatchObject({ success });
    expect(existsSync(join(program.home, "checkpoints", "blobs"))).toBe(false);
    expect(readFileSync(join(program.workspace, "a.txt"), "utf8")).toBe("new\n");
  });

  test("files over the limit of ghost_snapshot are named, and stay", async () => {
    await using program = await start(
      "features.undo = true\nghost_snapshot.ignore_large_untracked_files = 3\n",
    );
    writeFileSync(join(program.workspace, "a.txt"), "too long\n");
    const client = queueClient(program);
    client.submit("1", { type: "user_input", items: [{ type: "text", text: "go" }] });
    const { msg } = await client.until("1", "warning");
    expect(msg.message).toMatch(/cannot restore .*a\.txt.*too-large/);
    await client.until("1", "task_complete");

    client.submit("2", { type: "undo" });
    await client.until("2", "undo_completed");

    expect(readFileSync(join(program.workspace, "a.txt"), "utf8")).toBe("new\n");
    expect(existsSync(join(program.workspace, "b.txt"))).toBe(false);
  });

  test("a store that cannot be written costs the checkpoint, and not the turn", async () => {
    await using program = await start("features.undo = true\n");
    writeFileSync(join(program.workspace, "a.txt"), "old\n");
    writeFileSync(join(program.home, "checkpoints"), "a file in place of the folder");
    const client = await takeTurn(program);

    expect(readFileSync(join(program.workspace, "a.txt"), "utf8")).toBe("new\n");
    const warnings = (program.lines as { msg?: { type: string; message?: string } }[])
      .filter(({ msg }) => msg?.type === "warning")
      .map(({ msg }) => msg?.message);
    expect(warnings.join("\n")).toContain("cannot be restored later");
    client.submit("2", { type: "undo" });
    expect((await client.until("2", "undo_completed")).msg).toMatchObject({ success: false });
  });
});
