import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scriptedConfig } from "../../../src/model/scripted/index.js";
import { fails, says, startModel } from "../../support/model.js";
import { createInProcessUser } from "../support/in-process.js";

/** A user with a repository and a scripted model. */
async function createUser(...answers: ReturnType<typeof says>[]) {
  const model = await startModel(answers);
  const user = createInProcessUser();
  user.write("project/.git/HEAD", "ref: refs/heads/main\n");
  user.write("home/config.toml", scriptedConfig(model));
  return {
    ...user,
    model,
    async [Symbol.asyncDispose]() {
      await model.close();
      user[Symbol.dispose]();
    },
  };
}

describe("quire exec in this process", () => {
  test("prints the final message on standard output", async () => {
    await using user = await createUser(says("Done."));
    const { code, stdout, stderr } = await user.run(["exec", "do it"]);

    expect({ code, stdout }).toEqual({ code: 0, stdout: "Done.\n" });
    expect(stderr).toContain("user\ndo it\n");
  });

  test("prints events with --json, and writes the final message with -o", async () => {
    await using user = await createUser(says("Done."));
    const { code, stdout } = await user.run(["exec", "--json", "-o", "last.txt", "do it"]);
    const types = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).type);

    expect(code).toBe(0);
    expect(types[0]).toBe("thread.started");
    expect(types.at(-1)).toBe("turn.completed");
    expect(readFileSync(join(user.project, "last.txt"), "utf8")).toBe("Done.");
  });

  test("fails with the exit code of the cause", async () => {
    await using user = await createUser(fails(401));
    const { code, stderr } = await user.run(["exec", "do it"]);

    expect(code).toBe(3);
    expect(stderr).toContain("ERROR:");
  });

  test("resumes the last session of the directory", async () => {
    await using user = await createUser(says("One."), says("Two."));
    await user.run(["exec", "first"]);
    const { code, stdout } = await user.run(["exec", "resume", "--last", "second"]);

    expect({ code, stdout }).toEqual({ code: 0, stdout: "Two.\n" });
    expect(JSON.stringify(user.model.requests[1]?.body)).toContain("first");
  });

  test.each([
    [
      ["exec", "resume"],
      "No session given: use `quire exec resume ID` or `quire exec resume --last`",
    ],
    [["exec", "resume", "--last", "id", "prompt"], "`--last` and an ID cannot be used together"],
    [
      ["exec", "review"],
      "Give exactly one of --uncommitted, --base BRANCH, --commit SHA or INSTRUCTIONS",
    ],
    [["review", "--uncommitted", "--base", "main"], "Give exactly one of"],
    [["review", "--base", "main", "--title", "x"], "--title requires --commit SHA"],
    [["exec", "--color", "maybe", "hi"], "Expected --color to be one of always, never, auto"],
    [["exec", "--max-turns", "x", "hi"], "Expected --max-turns to be a positive number"],
  ])("rejects %j", async (args, message) => {
    await using user = await createUser();
    const { code, stdout, stderr } = await user.run(args);

    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });

  test("reviews what the options name", async () => {
    await using user = await createUser(says("Looks good."));
    const { code, stderr } = await user.run(["review", "--commit", "abc123", "--title", "Fix it"]);

    expect(code).toBe(0);
    expect(stderr).toContain("Review of commit abc123");
    expect(JSON.stringify(user.model.requests[0]?.body)).toContain("abc123");
  });
});
