import { describe, expect, test } from "vitest";
import { defineCommand } from "../../../src/cli/command.js";
import { bashScript } from "../../../src/cli/completion/bash.js";
import { readCompletionTree } from "../../../src/cli/completion/completion-tree.js";
import { fishScript } from "../../../src/cli/completion/fish.js";
import { powershellScript } from "../../../src/cli/completion/powershell.js";
import { zshScript } from "../../../src/cli/completion/zsh.js";

const inner = defineCommand({
  name: "thing add",
  summary: "Add a thing",
  operands: "NAME",
  options: {
    mode: { type: "string", short: "m", choices: ["a", "b"], help: "Mode of the user's thing" },
    old: { type: "string", aliasOf: "mode", help: "" },
    secret: { type: "boolean", hidden: true, help: "" },
  },
  run: async () => 0,
});
const root = defineCommand({
  name: "",
  summary: "Test",
  options: {},
  verbs: [
    {
      name: "thing",
      summary: "Manage things",
      aliases: ["t"],
      load: async () =>
        defineCommand({
          name: "thing",
          summary: "Manage things",
          options: {},
          verbs: [{ name: "add", summary: "Add a thing", load: async () => inner }],
          run: async () => 0,
        }),
    },
    { name: "ghost", summary: "Hidden", hidden: true, load: async () => inner },
  ],
  run: async () => 0,
});

const nodes = await readCompletionTree(root);

describe("the completion tree", () => {
  test("has every command that is not hidden", () => {
    expect(nodes.map(({ path, aliases }) => [path, aliases])).toEqual([
      ["", []],
      ["/thing", ["/t"]],
      ["/thing/add", []],
    ]);
    expect(nodes[0]?.verbs).toEqual([{ word: "thing", summary: "Manage things" }]);
  });

  test("has the options that are neither hidden nor aliases, and global ones", () => {
    const names = nodes[2]?.options.map((option) => option.names.join(" "));

    expect(names).toEqual(["--mode -m", "--as", "--era", "--help -h", "--version -V"]);
    expect(nodes[2]).toMatchObject({
      takesOperands: true,
      options: [{ takesValue: true, choices: ["a", "b"] }, {}, {}, {}, {}],
    });
    expect(nodes[1]?.takesOperands).toBe(false);
  });
});

test.each([
  [
    "bash",
    bashScript,
    [
      '/thing|/t) at="/thing" ;;',
      '"/thing/add --mode"|"/thing/add -m") COMPREPLY=($(compgen -W "a b"',
    ],
  ],
  [
    "zsh",
    zshScript,
    [
      "#compdef quire",
      '("/thing/add --mode"|"/thing/add -m") compadd a b',
      "'--mode:Mode of the user'\\''s thing'",
    ],
  ],
  [
    "fish",
    fishScript,
    ["case '/thing' '/t'", "-l mode -s m -r -f -a 'a b' -d 'Mode of the user\\'s thing'"],
  ],
  [
    "powershell",
    powershellScript,
    ["'/t' = '/thing'", ",@('--mode', 'Mode of the user''s thing')"],
  ],
])("the script for %s has commands, options and choices", (_, script, parts) => {
  const text = script(nodes);

  for (const part of parts) expect(text).toContain(part);
  expect(text).not.toContain("ghost");
  expect(text).not.toContain("secret");
});
