import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listenScriptedModel, scriptedConfig } from "../../../src/model/scripted/index.js";
import { createInProcessUser } from "../support/in-process.js";

const full = ["--skip-git-repo-check", "--sandbox", "danger-full-access"];

test("files and conversation are rewound by the number of the turn, and the rewind is taken back", {
  timeout: 60_000,
}, async () => {
  using user = createInProcessUser();
  const script = [
    [{ call: "shell", args: { command: ["sh", "-c", "echo one > a.txt"] }, call_id: "c1" }],
    [{ message: "done" }],
  ];
  await using model = await listenScriptedModel({ script });
  user.write("home/config.toml", scriptedConfig({ baseUrl: model.baseUrl }));
  const file = join(user.project, "a.txt");
  writeFileSync(file, "old\n");
  expect(await user.run(["exec", ...full, "change it"])).toMatchObject({ code: 0 });

  const list = await user.run(["rewind"]);
  expect(list.stdout).toMatch(/^Turn +Started +Changed +Message\n1 .* 1 file +change it\n$/);
  const preview = await user.run(["rewind", "--to", "1", "--both", "--dry-run"]);
  expect(preview.stdout).toBe(`Conversation: 1 turn removed\nFiles:\n  M ${file} (+1 -1)\n`);
  expect(await user.run(["rewind", "--to", "1", "--both"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("pass --yes, or --dry-run"),
  });
  expect(readFileSync(file, "utf8")).toBe("one\n");

  expect(await user.run(["rewind", "--to", "1", "--both", "--yes"])).toMatchObject({ code: 0 });
  expect(readFileSync(file, "utf8")).toBe("old\n");
  expect((await user.run(["rewind"])).stdout).toBe("The session has no turns.\n");
  expect(await user.run(["rewind", "--undo", "--yes"])).toMatchObject({ code: 0 });
  expect(readFileSync(file, "utf8")).toBe("one\n");

  const none = await user.run(["rewind", "--undo", "--yes"]);
  expect(none).toMatchObject({ code: 1, stdout: "" });
  expect(none.stderr).toBe("quire: This thread has no rewind to take back.\n");
  writeFileSync(file, "of the user\n");
  const refused = await user.run(["rewind", "--to", "1", "--files", "--yes"]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(`! ${file}: it was changed since, not by a turn`);
  expect(refused.stderr).toContain("--skip-conflicts restores the other files");
  expect(readFileSync(file, "utf8")).toBe("of the user\n");
});
