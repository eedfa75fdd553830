import { linkSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { explainAccess } from "../../../src/cli/policy/explain-access.js";
import { createUser, type TestUser } from "../support/run-quire.js";

let user: TestUser;
beforeAll(() => {
  user = createUser();
  writeFileSync(
    join(user.home, "config.toml"),
    `default_permissions = "work"
[permissions.work]
extends = ":workspace"
[permissions.work.filesystem.":workspace_roots"]
"secret.env" = "deny"
"**/*.key" = "deny"
"vendor" = "read"
[permissions.work.network]
enabled = true
domains = { "example.org" = "allow", "**.bad.example.org" = "deny" }
[permissions.tight]
filesystem = { ":workspace_roots" = "write" }
`,
  );
  mkdirSync(join(user.project, "vendor"));
  mkdirSync(join(user.project, ".git"));
  writeFileSync(join(user.project, "secret.env"), "hush");
  linkSync(join(user.project, "secret.env"), join(user.project, "alias.txt"));
});
afterAll(() => user[Symbol.dispose]());

/** Runs the command in this process. */
async function explain(args: string[]) {
  let out = "";
  const stream = { write: (text: string) => (out += text) };
  const io = { cwd: user.project, env: { HOME: user.home, CODEX_HOME: user.home } };
  const quiet = { write: () => true };
  const code = await explainAccess(args, { ...io, stdout: stream, stderr: quiet } as never);
  return { code, out };
}

const key = (rest: string) => `permissions.work.${rest} in HOME/config.toml`;

test.each<[string[], boolean, string | undefined, RegExp]>([
  [["--read", "open.txt"], true, ":workspace", /is readable/],
  [
    ["--read", "secret.env"],
    false,
    key('filesystem.":workspace_roots"."secret.env"'),
    /secret\.env is denied/,
  ],
  [["--write", "secret.env"], false, key('filesystem.":workspace_roots"."secret.env"'), /denied/],
  [["--read", "alias.txt"], false, ":workspace", /another name of a denied file/],
  [["--read=a/b.key"], false, key('filesystem.":workspace_roots"."**/*.key"'), /b\.key is denied/],
  [["--write", "vendor/x"], false, key('filesystem.":workspace_roots".vendor'), /only be read/],
  [["--write", "new/x"], true, ":workspace", /is writable/],
  [["--write", ".git/config"], false, ":workspace", /\.git is protected/],
  [["--write", "/usr/share/x"], false, ":workspace", /only be read/],
  [["--read", "/home/me/x", "-P", "tight"], false, undefined, /no rule permits it/],
  [["--read", "secret.env", "-P", ":read-only"], true, "read-only", /readable/],
  [
    ["--read", "secret.env", "--sandbox", "danger-full-access"],
    false,
    key('filesystem.":workspace_roots"."secret.env"'),
    /denied/,
  ],
  [["--connect", "example.org:80"], true, key('network.domains."example.org"'), /allowed domain/],
  [
    ["--connect", "x.bad.example.org"],
    false,
    key('network.domains."**.bad.example.org"'),
    /is denied by/,
  ],
  [["--connect", "other.org"], false, undefined, /not an allowed domain/],
  [
    ["--connect", "other.org", "-P", ":workspace"],
    false,
    "enabled = false",
    /network access is off/,
  ],
])("policy explain %j: allowed is %s", async (args, allowed, rule, reason) => {
  const { code, out } = await explain([...args, "--json"]);

  const explained = JSON.parse(out.replaceAll(user.home, "HOME"));
  expect({ allowed: explained.allowed, rule: explained.rule }).toEqual({ allowed, rule });
  expect(explained.reason).toMatch(reason);
  expect(code).toBe(allowed ? 0 : 1);
});

test("the explanation is readable, and -C sets the directory", async () => {
  const { stdout } = await user.run(
    ["policy", "explain", "-C", user.project, "--read", "secret.env"],
    { cwd: user.home },
  );

  expect(stdout.replaceAll(user.home, "HOME").replaceAll(user.project, "PROJECT")).toBe(
    `Read      PROJECT/secret.env
Policy    permission profile work (extends :workspace)
Rule      permissions.work.filesystem.":workspace_roots"."secret.env" in HOME/config.toml
Reason    PROJECT/secret.env is denied

Outcome   denied
`,
  );
});

test.each([
  [["--read", "a", "--write", "b"], "Expected one of --read PATH"],
  [["--connect", "a:b"], "Expected --connect to be HOST or HOST:PORT (got a:b)"],
  [["--read", "a", "-P", "nope"], "names an undefined profile, `nope`"],
  [["--read", "a", "-C", "missing"], "Expected --cd to be a directory"],
])("policy explain %j is an error", async (args, message) => {
  await expect(explain(args)).rejects.toThrow(message);
});
