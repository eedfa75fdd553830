import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readRuleLayers, readRulesFiles } from "../../../src/shell/index.js";
import { temporaryFolder } from "../../project/temporary-folder.js";

const allow = 'prefix_rule(["ls"])\n';
const forbid = 'prefix_rule(["rm"], "forbidden")\nnetwork_rule("a.com", "http", "deny")\n';

const notEnforced =
  "network_rule is not enforced (a.com): use `network.domains` of a permission profile.";

test("rules files are read by name; other files and folders are not", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ "b.rules": "2", "a.rules": "1", "c.txt": "3", "d.rules/e": "4" });

  const files = await readRulesFiles(folder.path);

  expect(files).toEqual([
    { name: join(folder.path, "a.rules"), text: "1" },
    { name: join(folder.path, "b.rules"), text: "2" },
  ]);
  expect(await readRulesFiles(join(folder.path, "missing"))).toEqual([]);
});

test("a rules file that is too large or not UTF-8 is an error that names it", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, "a.rules");

  await writeFile(file, Buffer.from([0xff]));
  await expect(readRulesFiles(folder.path)).rejects.toThrow(`failed to read rules file ${file}`);
  await writeFile(file, "#".repeat(1024 * 1024 + 1));
  await expect(readRulesFiles(folder.path)).rejects.toThrow("larger than 1048576 bytes");
});

test("rules of the user and of a trusted project apply together", async () => {
  await using folder = await temporaryFolder();
  await folder.write({
    "home/rules/user.rules": 'prefix_rule(["cat"], "prompt")\n',
    "project/.git/HEAD": "ref: refs/heads/main\n",
    "project/.codex/rules/top.rules": allow,
    "project/sub/.codex/rules/sub.rules": forbid,
  });
  const sources = {
    cwd: join(folder.path, "project/sub"),
    env: { CODEX_HOME: join(folder.path, "home") },
    mayAllow: async () => true,
  };

  const layers = await readRuleLayers(sources);

  expect(layers.rules.prefixRules.map(({ pattern, decision }) => [pattern, decision])).toEqual([
    [[["cat"]], "prompt"],
    [[["ls"]], "allow"],
    [[["rm"]], "forbidden"],
  ]);
  expect(layers.rules.networkRules).toHaveLength(1);
  expect(layers.files.map((file) => file.split("/").at(-1))).toEqual([
    "user.rules",
    "top.rules",
    "sub.rules",
  ]);
  expect(layers.notes).toEqual([notEnforced]);
});

test("an untrusted project can forbid but not allow, and a note says so", async () => {
  await using folder = await temporaryFolder();
  await folder.write({
    "project/.git/HEAD": "ref: refs/heads/main\n",
    "project/.codex/rules/a.rules": `${allow}${forbid}host_executable("git", ["/tmp/git"])\n`,
  });
  const cwd = join(folder.path, "project");
  const env = { CODEX_HOME: join(folder.path, "home") };

  const layers = await readRuleLayers({ cwd, env });

  expect(layers.rules.prefixRules.map(({ decision }) => decision)).toEqual(["forbidden"]);
  expect(layers.rules.hostExecutables.size).toBe(0);
  expect(layers.notes).toEqual([
    `${cwd} is not a trusted project: 1 of its rules that allow commands do not count.`,
    notEnforced,
  ]);
});

test("the home folder of the program is not read twice as a project", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ ".git/HEAD": "ref: refs/heads/main\n", ".codex/rules/a.rules": allow });
  await mkdir(join(folder.path, "sub"));

  const layers = await readRuleLayers({
    cwd: join(folder.path, "sub"),
    env: { HOME: folder.path },
  });

  expect(layers.rules.prefixRules).toHaveLength(1);
  expect(layers.files).toHaveLength(1);
});

test("a mistake in a rules file is thrown with its position", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ "home/rules/a.rules": "prefix_rule(" });

  const reading = readRuleLayers({
    cwd: folder.path,
    env: { CODEX_HOME: join(folder.path, "home") },
  });

  await expect(reading).rejects.toThrow("a.rules:1:13");
});
