import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runPolicyExplain } from "../../../src/cli/commands/policy.js";

let root = "";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "quire-explain-"));
  await write("home/rules/default.rules", 'prefix_rule(["make"], match = ["make all"])\n');
  await write("project/.git/HEAD", "");
  await write(
    "project/.codex/rules/a.rules",
    'prefix_rule(["cc"])\nprefix_rule(["npm"], "forbidden")\n',
  );
  await write("broken/rules/x.rules", 'prefix_rule(["ls"],\n  decision = "yes")\n');
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(join(root, path, ".."), { recursive: true });
  await writeFile(join(root, path), text);
}

async function run(args: string[], options: { home?: string; trusted?: boolean } = {}) {
  let out = "";
  let err = "";
  const code = await runPolicyExplain(args, {
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
    cwd: join(root, "project"),
    env: { CODEX_HOME: join(root, options.home ?? "home"), HOME: root },
    mayAllow: async () => options.trusted ?? false,
  });
  return { code, out: out.replaceAll(root, "ROOT"), err: err.replaceAll(root, "ROOT") };
}

test("the outcome is explained part by part, with the rules that decide", async () => {
  const { code, out } = await run(["--sandbox", "workspace-write", "--", "make all && ls src"]);

  expect({ code, out }).toEqual({
    code: 0,
    out: `Command   bash -lc 'make all && ls src'
Policy    approval on-request, sandbox workspace-write
Rules     2 rules from 2 files
Note      ROOT/project is not a trusted project: 1 of its rules that allow commands do not count.
Read as   a plain script of 2 commands

  allow     make all
            the strictest rule that matches decides
            prefix_rule(pattern=["make"], decision="allow") (ROOT/home/rules/default.rules:1)
  allow     ls src
            on the list of latest known safe commands

Outcome   It runs at once, inside the workspace-write sandbox.
`,
  });
});

test("the rules of a project forbid at once and allow when it is trusted", async () => {
  expect((await run(["--", "npm", "i"])).out).toContain("It is refused: `npm i` rejected");
  expect((await run(["--json", "--", "cc", "x.c"])).out).toContain('"by": "policy"');
  expect((await run(["--json", "--", "cc", "x.c"], { trusted: true })).out).toContain(
    '"by": "rule"',
  );
});

test("the same is there as JSON", async () => {
  const { code, out } = await run(["--json", "--approval-policy=never", "--escalated", "tee", "x"]);

  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({
    command: "tee x",
    decision: "auto",
    sandboxed: true,
    outcome: "It runs at once, inside the read-only sandbox.",
    read: "command",
    parts: [
      {
        command: "tee x",
        decision: "allow",
        by: "policy",
        because: "no rule and no list knows it, so approval policy never lets it run",
        rules: [],
      },
    ],
    rulesFiles: ["ROOT/home/rules/default.rules", "ROOT/project/.codex/rules/a.rules"],
    notes: [expect.stringContaining("not a trusted project")],
  });
});

test.each([
  [[], "Missing command; put it after --"],
  [["--sandbx", "x"], "Unknown option --sandbx. Did you mean --sandbox?"],
  [
    ["--sandbox", "none", "ls"],
    "Expected --sandbox to be one of read-only, workspace-write, danger-full-access.",
  ],
  [
    ["--approval-policy"],
    "Expected --approval-policy to be one of untrusted, on-failure, on-request, never.",
  ],
])("the arguments %j are refused with what to type", async (args, message) => {
  const { code, err } = await run(args);

  expect(code).toBe(2);
  expect(err).toContain(message);
  expect(err).toContain("Usage: quire policy explain");
});

test("a broken rules file is named with the place of its mistake", async () => {
  expect(await run(["ls"], { home: "broken" })).toEqual({
    code: 1,
    out: "",
    err:
      "Error: ROOT/broken/rules/x.rules:2:14: invalid decision: yes (write allow, prompt or forbidden)\n" +
      "No rules apply until the file is fixed.\n",
  });
});

test("what would play with the terminal is shown, not sent", async () => {
  const { out } = await run(["--", "echo", "\u001b[2J\u202e\n"]);

  expect(out).toContain("echo '\\u{1b}[2J\\u{202e}\\n'");
});
