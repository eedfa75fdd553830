import { expect, test } from "vitest";
import { parseSkillHead } from "../../../src/project/skills/front-matter.js";

test.each([
  ["plain", "name: a\ndescription: b c", { name: "a", description: "b c" }],
  [
    "blanks collapsed",
    "name: ' a  b '\ndescription: |\n  one\n\n   two",
    { name: "a b", description: "one two" },
  ],
  [
    "a short description",
    "name: a\ndescription: b\nmetadata:\n  short-description: c\n  other: [1, 2]",
    { name: "a", description: "b", short_description: "c" },
  ],
  [
    "an empty short description",
    "name: a\ndescription: b\nmetadata:\n  short-description: ''",
    { name: "a", description: "b" },
  ],
  [
    "unknown keys",
    "name: a\ndescription: >-\n  b\n  c\nlicense: MIT\nallowed-tools:\n- x",
    { name: "a", description: "b c" },
  ],
  ["a number as a name", "name: 007\ndescription: b", { name: "007", description: "b" }],
])("a head is read: %s", (_what, yaml, head) => {
  expect(parseSkillHead(`---\n${yaml}\n---\nBody`)).toEqual(head);
  expect(parseSkillHead(`\ufeff--- \r\n${yaml.replaceAll("\n", "\r\n")}\r\n--- \r\n`)).toEqual(
    head,
  );
});

test.each([
  ["", "missing YAML frontmatter delimited by ---"],
  ["---\n---\nBody", "missing YAML frontmatter delimited by ---"],
  ["---\nname: a", "missing YAML frontmatter delimited by ---"],
  ["text\n---\nname: a\n---", "missing YAML frontmatter delimited by ---"],
  ["---\nname: a\n---", "missing field `description`"],
  ["---\ndescription: a\n---", "missing field `name`"],
  ["---\nname: ' '\ndescription: a\n---", "missing field `name`"],
  ["---\n# nothing\n---", "missing field `name`"],
  ["---\nname: [a]\ndescription: b\n---", "invalid name: must be a string"],
  ["---\n- name\n---", "invalid YAML: expected lines of `key: value`"],
  ["---\nname: a\ndescription: b\nmetadata: c\n---", "invalid metadata: "],
  ["---\nname: a\n\tdescription: b\n---", "invalid YAML: line 3: "],
  [
    `---\nname: ${"a".repeat(65)}\ndescription: b\n---`,
    "invalid name: exceeds maximum length of 64 characters",
  ],
  [
    `---\nname: a\ndescription: b\nmetadata: {short-description: ${"é".repeat(1025)}}\n---`,
    "invalid metadata.short-description: exceeds maximum length of 1024 characters",
  ],
])("%j is refused", (text, message) => {
  expect(() => parseSkillHead(text)).toThrow(message);
});

test("lengths are counted in characters as people see them in a list, not in bytes", () => {
  const text = `---\nname: ${"💡".repeat(64)}\ndescription: ${"💡".repeat(1024)}\n---`;

  expect(parseSkillHead(text).name).toBe("💡".repeat(64));
});
