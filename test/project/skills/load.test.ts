import { execFile } from "node:child_process";
import { rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { loadSkills, SkillCatalogue } from "../../../src/project/index.js";
import { type TemporaryFolder, temporaryFolder } from "../temporary-folder.js";

test("skills are found for the project, the user, the program and the machine, in that order", async () => {
  await using folder = await temporaryFolder();
  await folder.write({
    ".codex/skills/outside/SKILL.md": skill("outside"),
    "repo/.git/HEAD": "",
    "repo/.codex/skills/z/SKILL.md": skill("z"),
    "repo/.agents/skills/b/SKILL.md": skill("b"),
    "repo/a/.codex/skills/deep/er/SKILL.md": skill("a"),
    "home/skills/user/SKILL.md": skill("user"),
    "home/skills/.system/system/SKILL.md": skill("system"),
    "me/.agents/skills/me/SKILL.md": skill("me"),
    "etc/skills/admin/SKILL.md": skill("admin"),
  });

  const { skills, errors } = await load(folder, "repo/a/b");

  expect(errors).toEqual([]);
  expect(skills.map(({ name, scope }) => `${scope} ${name}`)).toEqual([
    "repo a",
    "repo b",
    "repo z",
    "user me",
    "user user",
    "system system",
    "admin admin",
  ]);
  expect(skills[0]).toEqual({
    name: "a",
    description: "does a",
    path: join(folder.path, "repo/a/.codex/skills/deep/er/SKILL.md"),
    scope: "repo",
    enabled: true,
  });
});

test("the user's own folder stays the user's when the project lies around it", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ ".git/HEAD": "", ".codex/skills/mine/SKILL.md": skill("mine") });

  const { skills } = await loadSkills({ cwd: folder.path, home: join(folder.path, ".codex") });

  expect(skills.map(({ name, scope }) => `${scope} ${name}`)).toEqual(["user mine"]);
});

test("links to folders are followed once, links to files and hidden folders not at all", async () => {
  await using folder = await temporaryFolder();
  await folder.write({
    "shared/one/SKILL.md": skill("one"),
    "home/skills/.hidden/SKILL.md": skill("hidden"),
    "home/skills/.system/": "",
    "home/skills/file/": "",
  });
  const link = (target: string, name: string) =>
    symlink(target, join(folder.path, "home/skills", name));
  await link(join(folder.path, "shared"), "shared");
  await link(join(folder.path, "shared"), "again");
  await link(join(folder.path, "home/skills"), "circle");
  await link(join(folder.path, "nowhere"), "broken");
  await link(join(folder.path, "shared"), ".system/shared");
  await link(join(folder.path, "shared/one/SKILL.md"), "file/SKILL.md");

  const { skills, errors } = await load(folder, ".");

  expect(errors).toEqual([]);
  expect(skills.map(({ path, scope }) => [path, scope])).toEqual([
    [join(folder.path, "shared/one/SKILL.md"), "user"],
  ]);
});

test("an invalid skill file is listed with the reason, except in the system scope", async () => {
  await using folder = await temporaryFolder();
  await folder.write({
    "home/skills/bytes/SKILL.md": new Uint8Array([0x2d, 0xff]),
    "home/skills/good/SKILL.md": skill("good"),
    "home/skills/none/SKILL.md": "no head",
    "home/skills/yaml/SKILL.md": "---\nname: x\ndescription: see: this\n---\n",
    "home/skills/.system/bad/SKILL.md": "no head",
  });

  const { skills, errors } = await load(folder, ".");

  const at = (name: string) => join(folder.path, "home/skills", name, "SKILL.md");
  expect(skills.map(({ name }) => name)).toEqual(["good"]);
  expect(errors).toEqual([
    { path: at("bytes"), message: "missing YAML frontmatter delimited by ---" },
    { path: at("none"), message: "missing YAML frontmatter delimited by ---" },
    {
      path: at("yaml"),
      message: 'invalid YAML: line 3: quote a value that contains ": " or ends in ":"',
    },
  ]);
});

test("pipes, huge files and large trees do not hold the search up", async () => {
  await using folder = await temporaryFolder();
  const many = Array.from({ length: 2100 }, (_, number) => [`home/skills/d${number}/`, ""]);
  await folder.write({
    ...Object.fromEntries(many),
    "home/skills/a/SKILL.md": `${skill("huge")}${"x".repeat(5_000_000)}`,
    "home/skills/z/SKILL.md": skill("beyond the two thousand folders"),
    "home/skills/d1/": "",
  });
  await promisify(execFile)("mkfifo", [join(folder.path, "home/skills/d1/SKILL.md")]);

  const { skills } = await load(folder, ".");

  expect(skills.map(({ name }) => name)).toEqual(["huge"]);
});

test("skills that were turned off are listed as such", async () => {
  await using folder = await temporaryFolder();
  await folder.write({
    "home/skills/a/SKILL.md": skill("a"),
    "home/skills/b/SKILL.md": skill("b"),
  });
  await symlink(join(folder.path, "home/skills/a"), join(folder.path, "alias"));

  const { skills } = await loadSkills({
    cwd: folder.path,
    home: join(folder.path, "home"),
    disabledPaths: [join(folder.path, "alias/SKILL.md")],
  });

  expect(skills.map(({ name, enabled }) => [name, enabled])).toEqual([
    ["a", false],
    ["b", true],
  ]);
});

test("the interface file of a skill is read, and invalid parts are ignored", async () => {
  await using folder = await temporaryFolder();
  await folder.write({
    "home/skills/a/SKILL.md": skill("a"),
    "home/skills/a/agents/openai.yaml": [
      "interface:",
      '  display_name: "A  skill"',
      "  icon_small: ./assets/a.svg",
      "  icon_large: assets/../../secret.png",
      "  brand_color: red",
      "dependencies:",
      "  tools:",
      "    - type: mcp",
      "      value: docs",
      "      url: https://example.com/mcp",
      "    - value: nameless",
    ].join("\n"),
    "home/skills/b/SKILL.md": skill("b"),
    "home/skills/b/agents/openai.yaml": "interface: [",
  });

  const { skills, errors } = await load(folder, ".");

  expect(errors).toEqual([]);
  expect(skills.map(({ interface: shown, dependencies }) => ({ shown, dependencies }))).toEqual([
    {
      shown: {
        display_name: "A skill",
        icon_small: join(folder.path, "home/skills/a/assets/a.svg"),
      },
      dependencies: { tools: [{ type: "mcp", value: "docs", url: "https://example.com/mcp" }] },
    },
    { shown: undefined, dependencies: undefined },
  ]);
});

test("a catalogue reloads only on request", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ "home/skills/a/SKILL.md": skill("a") });
  let version = 0;
  const catalogue = new SkillCatalogue({ home: join(folder.path, "home") }, () => version);
  const names = async (options?: { forceReload: boolean }) =>
    (await catalogue.forCwd(folder.path, options)).skills.map(({ name }) => name);

  expect(await names()).toEqual(["a"]);
  await rm(join(folder.path, "home/skills/a"), { recursive: true });
  expect(await names()).toEqual(["a"]);
  expect(await names({ forceReload: true })).toEqual([]);
  await folder.write({ "home/skills/b/SKILL.md": skill("b") });
  version++;
  expect(await names()).toEqual(["b"]);
});

test("a folder that is not named in full is an error of the list", async () => {
  const catalogue = new SkillCatalogue({ home: "/nowhere" });

  expect(await catalogue.forCwd("some/where")).toEqual({
    skills: [],
    errors: [{ path: "some/where", message: "cwd must be an absolute path, but is some/where" }],
  });
});

function skill(name: string): string {
  return `---\nname: ${name}\ndescription: does ${name}\n---\n\nBody\n`;
}

test("[security H6] skills of a project are read only if that is allowed", async () => {
  await using folder = await temporaryFolder();
  await folder.write({
    "repo/.git/HEAD": "",
    "repo/.codex/skills/z/SKILL.md": skill("z"),
    "repo/a/.agents/skills/b/SKILL.md": skill("b"),
    "home/skills/user/SKILL.md": skill("user"),
  });
  const names = async (refusalOf?: (folder: string) => { reason?: string } | undefined) => {
    const sources = { cwd: join(folder.path, "repo/a"), home: join(folder.path, "home") };
    const { skills, errors } = await loadSkills({ ...sources, refusalOf });
    return [...skills.map(({ name }) => name), ...errors.map(({ message }) => message)];
  };

  expect(await names()).toEqual(["user"]);
  expect(await names(() => ({}))).toEqual(["user"]);
  expect(await names(() => undefined)).toEqual(["b", "z", "user"]);
  const refusal = { reason: "nobody trusts it" };
  const onlyTop = (path: string) => (path.endsWith("/a") ? refusal : undefined);
  expect(await names(onlyTop)).toEqual(["z", "user", "not read: nobody trusts it"]);
});

function load(folder: TemporaryFolder, cwd: string) {
  return loadSkills({
    refusalOf: () => undefined,
    cwd: join(folder.path, cwd),
    home: join(folder.path, "home"),
    userHome: join(folder.path, "me"),
    adminFolder: join(folder.path, "etc/skills"),
  });
}
