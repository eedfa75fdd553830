import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createInProcessUser } from "../support/in-process.js";

describe("quire features", () => {
  test("lists the features by name with stage and state", async () => {
    using user = createInProcessUser();
    const { code, stdout, stderr } = await user.run(["features"]);
    const rows = stdout.trimEnd().split("\n");

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(rows).toEqual([...rows].sort());
    expect(stdout).toMatch(/^shell_tool +stable +true$/m);
    expect(stdout).toMatch(/^unified_exec +stable +false$/m);
    expect(stdout).toMatch(/^apps +removed +false$/m);
    expect(await user.run(["features", "list"])).toEqual({ code, stdout, stderr });
  });

  test.each([
    [["--enable", "unified_exec"], true],
    [["-c", "features.unified_exec=true"], true],
    [["--enable", "unified_exec", "--disable", "unified_exec"], false],
  ])("with %j shows the state of this run", async (args, enabled) => {
    using user = createInProcessUser();
    const { stdout } = await user.run(["features", "list", "--json", ...args]);

    expect(JSON.parse(stdout)).toContainEqual({ name: "unified_exec", stage: "stable", enabled });
  });

  test("enables and disables a feature in config.toml, by older names too", async () => {
    using user = createInProcessUser();
    const config = () => readFileSync(join(user.home, "config.toml"), "utf8");
    user.write("home/config.toml", "# mine\n");

    const on = await user.run(["features", "enable", "experimental_use_unified_exec_tool"]);
    const enabled = config();
    const off = await user.run(["features", "disable", "unified_exec"]);

    expect(on).toEqual({
      code: 0,
      stdout: "Enabled feature `unified_exec` in config.toml.\n",
      stderr: "",
    });
    expect(enabled).toBe("# mine\n\n[features]\nunified_exec = true\n");
    expect(off.stdout).toBe("Disabled feature `unified_exec` in config.toml.\n");
    expect(config()).toContain("unified_exec = false");
  });

  test.each([
    [["enable", "apps"], "Feature `apps` is not available here: the setting has no effect.\n"],
    [["disable", "steer"], "Feature `steer` is always on here: the setting has no effect.\n"],
    [["disable", "apps"], ""],
  ])("%j reports a switch without effect", async (args, stderr) => {
    using user = createInProcessUser();

    expect(await user.run(["features", ...args])).toMatchObject({ code: 0, stderr });
  });

  test.each([
    [["enable"], "Missing feature name; `quire features list` lists the features"],
    [["enable", "unified_exce"], "Did you mean unified_exec?"],
    [["enable", "a", "b"], 'Unexpected argument "b"'],
    [["enabel", "x"], "Did you mean `quire features enable`?"],
  ])("%j is rejected", async (args, message) => {
    using user = createInProcessUser();
    const { code, stderr } = await user.run(["features", ...args]);

    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test("warns about ignored keys on standard error", async () => {
    using user = createInProcessUser();
    user.write("home/config.toml", "modle = 1\n");
    const { code, stderr } = await user.run(["features", "list"]);

    expect(code).toBe(0);
    expect(stderr).toContain("quire: A setting is ignored: ");
  });
});
