import { describe, expect, test } from "vitest";
import { createInProcessUser } from "../../support/in-process.js";

describe("commands for sessions", () => {
  test.each([
    [["sessions"], "No sessions found.\n"],
    [["sessions", "list"], "No sessions found.\n"],
    [["sessions", "list", "--json"], "[]\n"],
    [["sessions", "list", "--archived"], "No sessions found.\n"],
    [
      ["sessions", "du"],
      [
        "Place        Sessions  Size",
        "active       0         0 B",
        "archived     0         0 B",
        "total        0         0 B",
        "checkpoints            0 B\n",
      ].join("\n"),
    ],
    [["sessions", "prune", "--dry-run"], ""],
    [["sessions", "prune", "--json", "--yes"], "[]\n"],
  ])("%j of an empty home", async (args, stdout) => {
    using user = createInProcessUser();

    expect(await user.run(args)).toMatchObject({ code: 0, stdout });
  });

  test.each([
    [
      ["sessions", "list", "-n", "0"],
      2,
      "Expected --limit to be a number from 1 to 999999 (got 0)",
    ],
    [["sessions", "list", "-n", "many"], 2, "(got many)"],
    [
      ["sessions", "prune", "--older-than", "x"],
      2,
      "Expected --older-than to be a span such as 12h, 30d or 4w (got x)",
    ],
    [
      ["sessions", "export"],
      2,
      "Missing session id or name; `quire sessions list` lists the sessions",
    ],
    [["sessions", "export", "none"], 1, "No active or archived session found matching 'none'."],
    [["archive"], 2, "Missing session id or name"],
    [["archive", "none"], 1, "No active session found matching 'none'. See `quire sessions list`"],
    [["unarchive", "none"], 1, "No archived session found matching 'none'."],
    [["delete", "none"], 1, "No active or archived session found matching 'none'."],
    [["delete", "--force", "name"], 2, "--force requires a session UUID"],
    [["archive", "a", "b"], 2, 'Unexpected argument "b"'],
    [["sessions", "lst"], 2, "Did you mean `quire sessions list`?"],
  ])("%j is an error", async (args, code, message) => {
    using user = createInProcessUser();
    const ran = await user.run(args);

    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code, stdout: "" });
    expect(ran.stderr).toContain(message);
  });
});
