import { join } from "node:path";
import { expect, test } from "vitest";
import { readSkillMessages, skillsSection } from "../../../src/project/index.js";
import type { SkillMetadata } from "../../../src/protocol/types.js";
import { temporaryFolder } from "../temporary-folder.js";

const skill = (name: string, more: Partial<SkillMetadata> = {}): SkillMetadata => ({
  name,
  description: `does ${name}`,
  path: `/s/${name}/SKILL.md`,
  scope: "user",
  ...more,
});

test("lists enabled skills with their description and file", () => {
  const off = skill("b", { enabled: false });
  const section = skillsSection([skill("a"), off, skill("c", { path: "C:\\s\\SKILL.md" })]);

  expect(section?.split("\n").filter((line) => line.startsWith("- "))).toEqual(
    expect.arrayContaining([
      "- a: does a (file: /s/a/SKILL.md)",
      "- c: does c (file: C:/s/SKILL.md)",
    ]),
  );
  expect(section).not.toContain("does b");
});

test.each<[string, SkillMetadata[]]>([
  ["no skills", []],
  ["only disabled skills", [skill("a", { enabled: false })]],
])("%s have no section", (_name, skills) => {
  expect(skillsSection(skills)).toBeUndefined();
});

test("reads the current files of skills into messages for the model", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ "a/SKILL.md": "body\n" });
  const path = join(folder.path, "a/SKILL.md");

  expect(readSkillMessages([skill("a", { path })])).toEqual({
    items: [
      {
        type: "message",
        role: "user",
        content: [
          {
            type: "input_text",
            text: `<skill>\n<name>a</name>\n<path>${path}</path>\nbody\n\n</skill>`,
          },
        ],
      },
    ],
    warnings: [],
  });
});

test("a missing file is a warning, a long one is truncated with a warning", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ "long/SKILL.md": "x".repeat(600 * 1024) });
  const long = join(folder.path, "long/SKILL.md");

  const { items, warnings } = readSkillMessages([skill("none"), skill("long", { path: long })]);

  expect(items).toHaveLength(1);
  expect(warnings).toEqual([
    expect.stringMatching(/^Failed to load skill none at \/s\/none\/SKILL\.md: /),
    `Skill long at ${long} was truncated after 524288 bytes`,
  ]);
});
