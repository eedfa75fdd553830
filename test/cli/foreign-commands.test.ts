import { describe, expect, test } from "vitest";
import { createUser } from "./support/run-quire.js";

describe("[terminal B7] a command of Codex that is not here", () => {
  test.each([
    [["update"], "the way this one was installed"],
    [["update", "--help"], "the way this one was installed"],
    [["help", "plugin"], "`quire mcp add`"],
    [["plugin", "list", "--json"], "`quire mcp add`"],
    [["agents"], "`quire sessions list`"],
    [["cloud"], "`quire apply TASK_ID`"],
    [["cloud", "list"], "`quire apply TASK_ID`"],
    [["cloud-tasks", "-h"], "`quire apply TASK_ID`"],
    [["remote-control", "start"], "--listen"],
    [["app-server", "daemon", "start"], "service manager"],
    [["exec-server"], "`command/exec`"],
    [["migrate-rollouts"], "read as they are"],
    [["execpolicy", "check", "ls"], "`quire policy explain"],
    [["-m", "x", "update"], "the way this one was installed"],
  ])("%j names what to use instead, with exit code 2", async (args, hint) => {
    using user = createUser();

    const { code, stdout, stderr } = await user.run(args);

    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("a command of Codex that Quire does not have");
    expect(stderr).toContain(hint);
  });

  test("has its part that is here", async () => {
    using user = createUser();

    const { code, stdout } = await user.run(["cloud", "apply", "--help"]);

    expect(code).toBe(0);
    expect(stdout).toContain("TASK_ID");
  });

  test("[embedding R10] a word that is often meant as a command is answered, not sent", async () => {
    using user = createUser();

    const schema = await user.run(["schema"]);
    const prompt = await user.run(["--", "schema"]);

    expect(schema.code).toBe(2);
    expect(schema.stderr).toContain("`quire app-server generate-json-schema --out DIR`");
    expect(schema.stderr).toContain("`quire -- schema`");
    expect(prompt.stderr).toContain("requires a terminal");
  });
});
