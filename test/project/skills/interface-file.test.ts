import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSkillExtras } from "../../../src/project/skills/interface-file.js";
import { temporaryFolder } from "../temporary-folder.js";

async function extras(yaml: string | undefined) {
  await using folder = await temporaryFolder();
  mkdirSync(join(folder.path, "agents"));
  if (yaml !== undefined) writeFileSync(join(folder.path, "agents/openai.yaml"), yaml);
  const read = readSkillExtras(join(folder.path, "SKILL.md"));
  return JSON.parse(JSON.stringify(read).replaceAll(folder.path, "/skill"));
}

test("reads display settings and required tools", async () => {
  const yaml = `
interface:
  display_name: "  My   skill "
  short_description: Does it
  icon_small: assets/a.png
  icon_large: ./assets/b/../c.png
  brand_color: "#12aBcF"
  default_prompt: |
    Do
    it
dependencies:
  tools:
    - type: mcp
      value: files
      transport: stdio
      command: run
    - type: mcp
`;

  expect(await extras(yaml)).toEqual({
    interface: {
      display_name: "My skill",
      short_description: "Does it",
      icon_small: "/skill/assets/a.png",
      brand_color: "#12aBcF",
      default_prompt: "Do it",
    },
    dependencies: { tools: [{ type: "mcp", value: "files", transport: "stdio", command: "run" }] },
  });
});

test.each<[string, string | undefined]>([
  ["no file", undefined],
  ["an empty file", ""],
  ["invalid YAML", "a: b: c"],
  ["a list", "- a"],
  ["another shape", "interface: text\ndependencies: [tools]"],
  ["a file that is too large", `interface:\n  display_name: ${"x".repeat(70_000)}`],
])("%s adds nothing", async (_name, yaml) => {
  expect(await extras(yaml)).toEqual({});
});

test.each([["/etc/passwd"], ["assets/../../secret.png"], ["other/a.png"], ["assets"]])(
  "the icon %j is ignored",
  async (path) => {
    expect(await extras(`interface:\n  icon_small: ${path}\n`)).toEqual({});
  },
);

test.each([
  ["display_name", "x".repeat(65)],
  ["short_description", "x".repeat(1025)],
  ["brand_color", "'#12345'"],
  ["brand_color", "red"],
  ["default_prompt", "[a]"],
])("an invalid %s is ignored", async (field, value) => {
  expect(await extras(`interface:\n  ${field}: ${value}\n`)).toEqual({});
});
