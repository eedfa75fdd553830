import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createInProcessUser, type InProcessUser } from "../support/in-process.js";

const guard = 'grep -q "rm -rf" && { echo "no deletion" >&2; exit 2; }; exit 0';
const hooks = {
  PreToolUse: [
    { matcher: "Bash", hooks: [{ type: "command", command: guard }] },
    { matcher: "Edit|Write", hooks: [{ type: "http", url: "http://localhost:1/" }] },
  ],
  UserPromptSubmit: [{ hooks: [{ type: "command", command: "echo context" }] }],
};

function createUser(content: unknown = { hooks }): InProcessUser & { key(rest: string): string } {
  const user = createInProcessUser();
  const file = user.write("home/hooks.json", JSON.stringify(content));
  return { ...user, key: (rest) => `${file}:${rest}` };
}

test("hooks list prints the hooks and the trust in each", async () => {
  using user = createUser();

  const { code, stdout, stderr } = await user.run(["hooks", "list"]);

  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.split("\n").map((line) => line.replaceAll(/ {2,}/g, " | "))).toEqual([
    "EVENT | MATCHER | STATE | RUNS | KEY",
    `PreToolUse | Bash | untrusted | ${guard} | ${user.key("pre_tool_use:0:0")}`,
    `PreToolUse | Edit|Write | untrusted | POST http://localhost:1/ | ${user.key("pre_tool_use:1:0")}`,
    `UserPromptSubmit | untrusted | echo context | ${user.key("user_prompt_submit:0:0")}`,
    "",
  ]);
});

test("hooks list --json prints the entry of hooks/list for a directory", async () => {
  using user = createUser();

  const { stdout } = await user.run(["hooks", "list", "--json", "-C", user.project]);

  expect(JSON.parse(stdout)).toMatchObject({
    cwd: user.project,
    hooks: [{ eventName: "preToolUse", trustStatus: "untrusted" }, {}, {}],
    warnings: [],
    errors: [],
  });
});

test("hooks list prints what is not understood, and exits with 3", async () => {
  using user = createUser({ hooks: { PreToolUse: [{ hooks: [{ type: "shell" }] }] } });

  const { code, stderr } = await user.run(["hooks", "list"]);

  expect(code).toBe(3);
  expect(stderr).toContain('`hooks.PreToolUse[0].hooks[0].type`: expected one of "command"');
});

test("hooks trust stores the hash of the hooks that are named", async () => {
  using user = createUser();
  const key = user.key("pre_tool_use:0:0");

  const { code, stdout } = await user.run(["hooks", "trust", key]);
  const listed = JSON.parse((await user.run(["hooks", "list", "--json"])).stdout);
  const again = await user.run(["hooks", "trust", key]);

  expect({ code, stdout }).toEqual({ code: 0, stdout: `Trusted ${key}: ${guard}\n` });
  expect(listed.hooks.map(({ trustStatus }: { trustStatus: string }) => trustStatus)).toEqual([
    "trusted",
    "untrusted",
    "untrusted",
  ]);
  expect(again.stdout).toBe("Nothing to trust.\n");
  expect(readFileSync(join(user.home, "config.toml"), "utf8")).toContain(
    `[hooks.state.${JSON.stringify(key)}]`,
  );
});

test("hooks trust --all trusts all, until one changes", async () => {
  using user = createUser();

  await user.run(["hooks", "trust", "--all"]);
  const before = await user.run(["hooks", "list"]);
  user.write("home/hooks.json", JSON.stringify({ hooks }).replace("exit 2", "exit 0"));
  const after = await user.run(["hooks", "list"]);

  expect(before.stdout.match(/untrusted|modified/g)).toBeNull();
  expect(after.stdout.match(/untrusted|modified/g)).toEqual(["modified"]);
});

test.each([
  [["hooks", "trust"], "Expected keys of hooks, or --all"],
  [["hooks", "trust", "x"], "No hook x"],
  [["hooks", "explain"], "Missing --tool NAME"],
  [["hooks", "test"], "Missing event"],
  [["hooks", "test", "PreTool"], "Unknown event PreTool: did you mean PreToolUse?"],
  [["hooks", "test", "Stop", "--input", "[1]"], "Expected --input to be a JSON object (got [1])"],
  [["hooks", "list", "-C", "/no/such"], "Expected --cd to be a directory (got /no/such)"],
])("%j is a usage error", async (args, message) => {
  using user = createUser();

  const { code, stderr } = await user.run(args);

  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test("hooks test runs the matching hooks and prints what they decide", async () => {
  using user = createUser();
  await user.run(["hooks", "trust", "--all"]);

  const input = JSON.stringify({ command: "rm -rf /" });
  const blocked = await user.run(["hooks", "test", "PreToolUse", "--input", input]);
  const fine = await user.run(["hooks", "test", "PreToolUse", "--tool", "exec_command"]);
  const prompt = await user.run(["hooks", "test", "UserPromptSubmit", "--json"]);

  expect(blocked.stdout.replace(/\d+ ms/, "N ms")).toBe(
    `blocked  pre-tool-use:0:${user.home}/hooks.json:sample  (N ms)\n  feedback: no deletion\nDecision: blocked: no deletion\n`,
  );
  expect(fine.stdout).toMatch(/^completed .*\nDecision: continue\n$/);
  expect(JSON.parse(prompt.stdout)).toMatchObject({
    runs: [{ status: "completed" }],
    outcome: { contexts: ["context"] },
  });
});

test("hooks test runs untrusted hooks only on request", async () => {
  using user = createUser();

  const refused = await user.run(["hooks", "test", "UserPromptSubmit"]);
  const asked = await user.run(["hooks", "test", "UserPromptSubmit", "--untrusted"]);

  expect(refused.stdout).toBe("No hook ran.\nDecision: continue\n");
  expect(refused.stderr).toContain(
    `Not run, because it is not trusted: ${user.key("user_prompt_submit:0:0")}`,
  );
  expect(asked.stdout).toContain("context: context");
});

test("hooks explain prints why a hook runs or not", async () => {
  using user = createUser();
  const key = user.key("pre_tool_use:0:0");

  const before = await user.run(["hooks", "explain", "--tool", "Bash"]);
  await user.run(["hooks", "trust", key]);
  const after = await user.run(["hooks", "explain", "--tool", "shell"]);

  const other = [
    "skipped  PreToolUse  POST http://localhost:1/",
    `  ${user.key("pre_tool_use:1:0")}`,
    '  Its matcher "Edit|Write", a list of whole names, does not match.',
  ];
  expect(before.stdout.split("\n").filter((line) => line !== "")).toEqual([
    'Matchers are compared with "Bash".',
    `skipped  PreToolUse  ${guard}`,
    `  ${key}`,
    `  It is not trusted: \`quire hooks trust '${key}'\` trusts it as it is now.`,
    ...other,
  ]);
  expect(after.stdout).toContain("runs  PreToolUse");
  expect(after.stdout).toContain("You trust it, and its matcher matches.");
});
