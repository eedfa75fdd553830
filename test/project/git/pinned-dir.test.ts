import { existsSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  createPinnedDir,
  excludesFileOf,
  readSettings,
  removePinnedDir,
  toDataConfig,
} from "../../../src/project/git/pinned-dir.js";
import { temporaryFolder } from "../temporary-folder.js";

const setting = (name: string, value: string, scope = "local") => ({ scope, name, value });

test("reads scopes, names and values; a name alone means true", () => {
  const output = "local\0core.bare\nfalse\0global\0user.name\nA\nB\0local\0core.flag\0";

  expect(readSettings(output)).toEqual([
    setting("core.bare", "false"),
    setting("user.name", "A\nB", "global"),
    setting("core.flag", "true"),
  ]);
});

test("retains settings that are data and none that names a program, file or URL", () => {
  const config = toDataConfig(
    [
      setting("core.autocrlf", "input"),
      setting("core.fsmonitor", "/evil"),
      setting("core.sshcommand", "/evil"),
      setting("filter.x.clean", "/evil"),
      setting("diff.external", "/evil"),
      setting("include.path", "/evil"),
      setting("remote.origin.url", "https://evil.example/"),
      setting('remote.a "b.url', "ssh://evil"),
    ],
    "/home/me/ignore",
  );

  expect(config).not.toContain("evil");
  expect(config).toContain('[core]\n\tautocrlf = "input"\n');
  expect(config).toContain('[remote "origin"]\n\turl = "/dev/null"\n');
  expect(config).toContain('[remote "a \\"b"]\n');
  expect(config).toContain("\thooksPath = /dev/null\n");
  expect(config).toContain('\texcludesFile = "/home/me/ignore"\n');
});

test("values are quoted, so that no value adds a setting", () => {
  const config = toDataConfig([setting("core.eol", 'x"\n[alias]\n\ta = !evil')], "/i");

  expect(config.split("\n").filter((line) => line.startsWith("[alias]"))).toEqual([]);
});

test.each([
  [[setting("core.excludesfile", "/system", "system")], {}, "/system"],
  [[setting("core.excludesfile", "~/ignore", "global")], { HOME: "/me" }, "/me/ignore"],
  [[setting("core.excludesfile", "/project", "local")], { HOME: "/me" }, "/me/.config/git/ignore"],
  [[], { HOME: "/me", XDG_CONFIG_HOME: "/x" }, "/x/git/ignore"],
])("with %j and %j the ignore file is %s", (settings, env, expected) => {
  expect(excludesFileOf(settings, env)).toBe(expected);
});

test("creates a git directory that links to the repository, and removes old leftovers", async () => {
  await using folder = await temporaryFolder();
  await folder.write({
    "repo/.git/HEAD": "ref: refs/heads/x\n",
    "repo/.git/refs/heads/x": "0\n",
    "repo/.git/packed-refs": "# packed\n",
    "repo/.git/config": "evil",
    "home/tmp/git-old/config": "",
    "home/tmp/git-new/config": "",
    "home/tmp/other/file": "",
  });
  utimesSync(join(folder.path, "home/tmp/git-old"), 1, 1);
  const workTree = join(folder.path, "repo");
  const gitDir = join(workTree, ".git");
  const home = join(folder.path, "home");

  const dir = await createPinnedDir({ workTree, gitDir, commonDir: gitDir }, "ours", home);

  const read = (name: string) => readFileSync(join(dir, name), "utf8");
  expect([read("config"), read("HEAD")]).toEqual(["ours", "ref: refs/heads/x\n"]);
  expect([read("refs/heads/x"), read("packed-refs")]).toEqual(["0\n", "# packed\n"]);
  const left = ["git-old", "git-new", "other"].map((name) => existsSync(join(home, "tmp", name)));
  expect(left).toEqual([false, true, true]);
  await removePinnedDir(dir);
  expect(existsSync(dir)).toBe(false);
  expect(existsSync(join(gitDir, "refs/heads/x"))).toBe(true);
});
