import { describe, expect, test } from "vitest";
import { findCommand } from "../../src/cli/find-command.js";
import { nextWord, readOption } from "../../src/cli/parse.js";
import { root } from "../../src/cli/table.js";

describe("a command line", () => {
  test.each([
    [[], "", [], [], []],
    [["hello there"], "", ["hello there"], [], []],
    [["--", "exec"], "", ["--", "exec"], [], []],
    [["exec", "hi"], "exec", ["hi"], [], []],
    [["e", "hi"], "exec", ["hi"], [], []],
    [["exec", "resume", "--last"], "exec resume", ["--last"], [], []],
    [["-m", "x", "exec", "hi"], "exec", ["-m", "x", "hi"], [], []],
    [["-mx", "exec"], "exec", ["-mx"], [], []],
    [
      ["--model=x", "exec", "--json", "resume", "id"],
      "exec resume",
      ["--model=x", "--json", "id"],
      [],
      [],
    ],
    [["--era", "0.42", "mcp", "list"], "mcp list", [], ["--era", "0.42"], []],
    [["-m", "x", "mcp", "list"], "mcp list", [], [], ["-m"]],
    [["--full-auto", "features"], "features", [], [], ["--full-auto"]],
    [["mcp", "add", "n", "--", "exec"], "mcp add", ["n", "--", "exec"], [], []],
  ])("%j is of %j", async (args, name, own, globals, passedOver) => {
    const found = await findCommand(root, args);

    expect({ ...found, command: found.command.name }).toEqual({
      command: name,
      args: own,
      globals,
      passedOver,
    });
  });

  test.each([
    [["exce"], /Unknown command `exce`. Did you mean `quire exec`\?/],
    [["resumee", "x"], /To send it as a prompt: `quire -- resumee x`/],
    [["mcp", "what"], /Unknown command `quire mcp what`/],
    [["policy", "explan"], /Did you mean `quire policy explain`\?/],
    [["update"], /is a command of Codex that Quire does not have/],
    [
      ["serve"],
      /`serve` is not a command. Instead: `quire app-server --listen URL` serves clients/,
    ],
  ])("%j is an error", async (args, message) => {
    await expect(findCommand(root, args)).rejects.toThrow(message);
  });

  test.each(["What is this?", "fix", "Resume", "mcp!", "a b"])(
    "%j is a prompt, not a misspelled command",
    async (word) => {
      expect((await findCommand(root, [word])).command.name).toBe("");
    },
  );
});

const known = {
  model: { type: "string", short: "m", help: "" },
  json: { type: "boolean", short: "j", help: "" },
} as const;

test.each([
  [["a"], 0, 0],
  [["--json", "a"], 0, 1],
  [["--model", "x", "a"], 0, 2],
  [["--model=x", "a"], 0, 1],
  [["-m", "x", "a"], 0, 2],
  [["-mx", "a"], 0, 1],
  [["-"], 0, 0],
  [["--", "a"], 0, undefined],
  [["a", "--json", "b"], 1, 2],
  [[], 0, undefined],
])("the next word of %j from %i is at %s", (args, start, at) => {
  expect(nextWord(args, start, known)).toBe(at);
});

test.each([
  ["--model", { name: "model", needsValue: true }],
  ["--model=x", { name: "model", needsValue: false }],
  ["--json", { name: "json", needsValue: false }],
  ["-m", { name: "model", needsValue: true }],
  ["-mx", { name: "model", needsValue: false }],
  ["-j", { name: "json", needsValue: false }],
  ["--none", { name: undefined, needsValue: false }],
  ["-x", { name: undefined, needsValue: false }],
  ["--toString", { name: undefined, needsValue: false }],
])("the option %s is %j", (arg, option) => {
  expect(readOption(arg, known)).toEqual(option);
});
