import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  findMentions,
  readSkillMessages,
  type Skill,
  selectSkills,
  skillsSection,
} from "../../../src/project/index.js";
import { temporaryFolder } from "../temporary-folder.js";

test.each([
  ["use $a-b, ($c_1) and $d.", ["a-b", "c_1", "d"], []],
  ["[$a](/s/a) [$b] (  /s b ) [$c]()", ["a", "b", "c"], ["/s/a", "/s b"]],
  ["[$a](app://x) [$b](mcp://y) [$c](skill:///s/c)", ["c"], ["app://x", "mcp://y", "skill:///s/c"]],
  ["$PATH $home [$Term](/s) $tmpx", ["tmpx"], []],
  ["$ $$ $$a [$] [$](x) a$b", ["a", "b"], []],
  ["[a](/s) [$a b](/s) [$a](/open", ["a"], []],
  ["costs 5$ or $5", ["5"], []],
])("%j mentions %j", (text, names, paths) => {
  const mentions = findMentions(text);

  expect([[...mentions.names], [...mentions.paths]]).toEqual([names, paths]);
});

test("a text full of half links is read in time that grows with it", () => {
  expect(findMentions("[$a](".repeat(200_000)).names.size).toBe(1);
});

const skills: Skill[] = [
  { name: "one", description: "d", path: "/s/one", scope: "repo", enabled: true },
  { name: "two", description: "d", path: "/s/two", scope: "user", enabled: true },
  { name: "same", description: "d", path: "/s/same-1", scope: "repo", enabled: true },
  { name: "same", description: "d", path: "/s/same-2", scope: "user", enabled: true },
  { name: "off", description: "d", path: "/s/off", scope: "user", enabled: false },
];

test.each([
  ["by name, in the order of the list", "$two $one $two", ["/s/one", "/s/two"]],
  ["not by a name that two have", "$same", []],
  ["by a link where two have the name", "$same [$same](/s/same-2)", ["/s/same-2"]],
  ["by a link with a scheme", "[$x](skill:///s/one)", ["/s/one"]],
  ["not by a link that leads elsewhere", "[$one](/s/gone)", []],
  ["not when turned off", "$off [$off](/s/off)", []],
])("skills are chosen %s", (_what, text, paths) => {
  const selected = selectSkills({ items: [{ type: "text", text }], skills });

  expect(selected.skills.map(({ path }) => path)).toEqual(paths);
});

test("a name that also names an app chooses no skill, a link still does", () => {
  const otherNames = new Set(["one"]);
  const choose = (text: string) =>
    selectSkills({ items: [{ type: "text", text }], skills, otherNames }).skills.length;

  expect([choose("$one"), choose("[$one](/s/one)")]).toEqual([0, 1]);
});

test("a skill selected by an item comes first and once, and a missing one is reported", () => {
  const selected = selectSkills({
    items: [
      { type: "text", text: "$one $two" },
      { type: "skill", name: "two", path: "/s/two" },
      { type: "skill", name: "same", path: "/s/same-2" },
      { type: "skill", name: "off", path: "/s/off" },
    ],
    skills,
  });

  expect(selected.skills.map(({ path }) => path)).toEqual(["/s/two", "/s/same-2", "/s/one"]);
  expect(selected.warnings).toEqual(["No enabled skill off at /s/off"]);
});

test("a chosen skill goes to the model as its file is now", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "SKILL.md");
  await writeFile(path, "---\nname: a\n---\nBody\n");

  const messages = await readSkillMessages([
    { name: "a", description: "d", path, scope: "user" },
    { name: "b", description: "d", path: join(folder.path, "gone"), scope: "user" },
  ]);

  const text = `<skill>\n<name>a</name>\n<path>${path}</path>\n---\nname: a\n---\nBody\n\n</skill>`;
  expect(messages.items).toEqual([
    { type: "message", role: "user", content: [{ type: "input_text", text }] },
  ]);
  expect(messages.warnings).toEqual([
    `Failed to load skill b at ${join(folder.path, "gone")}: there is no such file`,
  ]);
});

test("a list of thousands of skills is cut, and the rest is counted", () => {
  const many = Array.from({ length: 2000 }, (_, number): Skill => {
    return { ...(skills[0] as Skill), name: `s${number}`, description: "x".repeat(1024) };
  });

  const section = skillsSection(many) ?? "";

  expect(section.length).toBeLessThan(80_000);
  const listed = section.match(/^- s\d+: /gm)?.length ?? 0;
  expect(section).toContain(`- ${2000 - listed} more (not listed)\n`);
});
