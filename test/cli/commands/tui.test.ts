import { describe, expect, test } from "vitest";
import { createInProcessUser } from "../support/in-process.js";

describe("quire, quire resume and quire fork", () => {
  test.each([
    [[]],
    [["a prompt"]],
    [["resume"]],
    [["resume", "--last"]],
    [["resume", "--include-non-interactive"]],
    [["resume", "--all", "--include-non-interactive", "id", "prompt"]],
    [["fork", "--last", "prompt"]],
    [["fork", "--include-non-interactive", "id"]],
  ])("%j parse, and require a terminal", async (args) => {
    using user = createInProcessUser();

    expect(await user.run(args)).toEqual({
      code: 2,
      stdout: "",
      stderr: "quire: The terminal UI requires a terminal. Use `quire exec` in scripts and pipes\n",
    });
  });

  test.each([
    [["resume", "a", "b", "c"], 'Unexpected argument "c". Quote a prompt of several words.'],
    [["resume", "--lats"], "Did you mean --last?"],
    [["fork", "--include-noninteractive"], "Did you mean --include-non-interactive?"],
    [["resume", "-m"], "argument missing"],
  ])("%j are rejected", async (args, message) => {
    using user = createInProcessUser();
    const { code, stderr } = await user.run(args);

    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test.each([
    [["-C", "nowhere"], 2, "Expected --cd to be a directory"],
    [["resume", "--yolo", "-a", "never"], 2, "cannot be used together"],
    [["--remote-auth-token-env", "T"], 2, "requires --remote URL"],
    [["--era", "0.1"], 2, "(got 0.1)"],
    [["-c", "model=1"], 3, "`model` must be a string, not 1"],
    [["-p", "none"], 3, "config profile `none` not found"],
  ])("%j are checked before the terminal is used", async (args, code, message) => {
    using user = createInProcessUser();
    const ran = await user.run(args, { isTTY: true, columns: 80 });

    expect(ran.code).toBe(code);
    expect(ran.stderr).toContain(message);
    expect(ran.stdout).toBe("");
  });
});
