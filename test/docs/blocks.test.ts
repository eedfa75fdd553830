import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkSource } from "../../src/config/check/report.js";
import { configBehaviors, loadRequirements } from "../../src/config/index.js";
import { parseToml } from "../../src/config/toml/table.js";
import { checkScript } from "../../src/model/scripted/index.js";
import { parseYaml } from "../../src/project/yaml/parse.js";
import { blocksOf, type DocBlock, docPages } from "../support/doc-blocks.js";

const blocks = docPages().flatMap(blocksOf);

/** How the blocks of a page with some language are checked; each test below takes one of these. */
const ways: Readonly<Record<string, readonly string[]>> = {
  "run in the installed package (test/package/package.test.ts)": [
    "README.md js",
    "docs/cassettes.md ts",
    "docs/embedding.md js",
    "docs/migrating.md js",
    "docs/transports.md js",
  ],
  "run where it belongs (programs.test.ts)": [
    "docs/code-mode.md js",
    "docs/hooks.md python",
    "docs/transports.md js page",
  ],
  "run as typed (getting-started.test.ts, fleet.test.ts)": [
    "docs/fleet.md sh",
    "docs/getting-started.md sh",
  ],
  "run line by line (commands.test.ts)": [
    "README.md sh",
    "docs/agents.md sh",
    "docs/approvals-and-sandbox.md sh",
    "docs/cassettes.md sh",
    "docs/exec.md sh",
    "docs/fleet-workspaces.md sh",
    "docs/goals.md sh",
    "docs/hooks.md sh",
    "docs/inspect.md sh",
    "docs/mcp.md sh",
    "docs/sessions.md sh",
    "docs/telemetry.md sh",
  ],
  settings: [
    "docs/agents.md toml",
    "docs/approvals-and-sandbox.md toml",
    "docs/code-mode.md toml",
    "docs/goals.md toml",
    "docs/hooks.md toml",
    "docs/mcp.md toml",
    "docs/permissions.md toml",
    "docs/telemetry.md toml",
  ],
  requirements: ["docs/requirements.md toml"],
  json: ["conformance/README.md json", "docs/acp.md json", "docs/hooks.md json"],
  "script of a model": ["docs/scripted-model.md json"],
  workflow: ["docs/exec.md yaml"],
  "front matter": ["docs/prompts-and-skills.md markdown"],
  "generated and compared (test/protocol/generated.test.ts)": ["docs/cli.md"],
  "output of programs, messages and rules, no program of its own": [
    "docs/approvals-and-sandbox.md",
    "docs/first-hour.md text",
    "docs/fleet.md",
    "docs/getting-started.md",
    "docs/inspect.md",
    "docs/permissions.md console",
    "docs/protocol-guide.md",
  ],
  "samples of style": ["CONTRIBUTING.md", "CONTRIBUTING.md ts"],
  "settings of other programs, which are not installed here": [
    "docs/acp.md elisp",
    "docs/acp.md lua",
  ],
  "commands of a clone that take minutes, run by CI": [
    "conformance/README.md",
    "docs/conformance.md",
    "docs/interop.md",
    "docs/performance.md",
    "packages/conformance/README.md",
  ],
};

const nameOf = ({ page, info }: DocBlock) => (info === "" ? page : `${page} ${info}`);

test("every block of every page is checked in one way, and no way is left over", () => {
  const known = Object.values(ways).flat();
  const names = [...new Set(blocks.map(nameOf))].sort();

  expect(names).toEqual([...new Set(known)].sort());
  expect(known).toHaveLength(new Set(known).size);
});

/** Returns the blocks that are checked in a way, by their place. */
function blocksBy(way: string): (DocBlock & { place: string })[] {
  const names = ways[way] ?? [];
  return blocks
    .filter((block) => names.includes(nameOf(block)))
    .map((block) => ({ ...block, place: `${block.page}:${block.line}` }));
}

describe("settings", () => {
  test.each(blocksBy("settings"))("of $place are known and valid", async ({ place, code }) => {
    // A role of an agent has the settings of a session and a few of its own.
    const own = code.replace(/^(?:description|developer_instructions|tools) = .*$/gm, "");
    const text = code.startsWith("description = ") ? own : code;

    const values = await parseToml(text, place);

    expect(Object.keys(values)).not.toEqual([]);
    expect(checkSource(values, { name: place, text })).toEqual([]);
  });

  test.each(blocksBy("requirements"))(
    "for administrators of $place are valid",
    async ({ code }) => {
      const systemFolder = await mkdtemp(join(tmpdir(), "quire-docs-"));
      await writeFile(join(systemFolder, "requirements.toml"), code);

      const found = await loadRequirements({
        env: {},
        behavior: configBehaviors.current,
        systemFolder,
      });

      expect(JSON.stringify(found)).toContain("workspace-write");
      await rm(systemFolder, { recursive: true });
    },
  );
});

test.each(blocksBy("json"))("$place is JSON", ({ code }) => {
  expect(Object.keys(JSON.parse(code))).not.toEqual([]);
});

test.each(blocksBy("script of a model"))("$place is a script", ({ code }) => {
  expect(checkScript(JSON.parse(code))).toHaveProperty("answers");
});

test.each(blocksBy("workflow"))("$place is YAML with steps", ({ code }) => {
  expect(() => parseYaml(code)).not.toThrow();
  expect(code).toMatch(/^ *- (?:uses|run|env):/m);
});

test.each(blocksBy("front matter"))("$place has a description", ({ code }) => {
  const [, head = ""] = /^---\n([\s\S]*?)^---$/m.exec(code) ?? [];

  expect([...(parseYaml(head) as Map<string, unknown>).keys()]).toContain("description");
});
