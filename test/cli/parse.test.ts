import { describe, expect, test } from "vitest";
import { defineCommand } from "../../src/cli/command.js";
import { findCommand } from "../../src/cli/find-command.js";
import { parseCommand } from "../../src/cli/parse.js";
import { commands, root } from "../../src/cli/table.js";

const command = defineCommand({
  name: "try",
  summary: "Try",
  operands: "[A] [B]",
  mostOperands: 2,
  options: {
    text: { type: "string", short: "t", value: "T", help: "" },
    level: { type: "string", choices: ["low", "high"], default: "low", help: "" },
    list: { type: "string", multiple: true, help: "" },
    more: { type: "string", multiple: true, aliasOf: "list", help: "" },
    flag: { type: "boolean", help: "" },
    older: { type: "boolean", aliasOf: "flag", help: "" },
    secret: { type: "boolean", hidden: true, help: "" },
  },
  run: async () => 0,
});

/** Parses and drops the values of global options. */
function parse(...args: string[]) {
  const { values, positionals } = parseCommand(command, args);
  const { help: _, version: __, ...own } = values;
  return { ...own, positionals };
}

const none = { level: "low", flag: false, secret: false, positionals: [] };

describe("arguments", () => {
  test.each([
    [[], { ...none, older: false }],
    [["a", "b"], { ...none, positionals: ["a", "b"] }],
    [["-t", "x", "a"], { ...none, text: "x", positionals: ["a"] }],
    [["--text=x=y"], { ...none, text: "x=y" }],
    [["--level", "high"], { ...none, level: "high" }],
    [["--list", "1", "--list", "2"], { ...none, list: ["1", "2"] }],
    [["--list", "1", "--more", "2"], { ...none, list: ["1", "2"] }],
    [["--more", "2"], { ...none, list: ["2"] }],
    [["--older"], { ...none, flag: true }],
    [["--secret"], { ...none, secret: true }],
    [["--", "--flag"], { ...none, positionals: ["--flag"] }],
    [["-"], { ...none, positionals: ["-"] }],
  ])("%j are parsed", (args, parsed) => {
    const { older: _, ...rest } = parsed as typeof parsed & { older?: boolean };
    expect(parse(...args)).toEqual(rest);
  });

  test.each([
    [["--txt", "x"], "Unknown option '--txt'. Did you mean --text? See `quire try --help`"],
    [["--oldr"], "Unknown option '--oldr'. See `quire try --help`"],
    [["--secrt"], "Unknown option '--secrt'. See `quire try --help`"],
    [["--text"], "Option '-t, --text <value>' argument missing. See `quire try --help`"],
    [["--flag=1"], "Option '--flag' does not take an argument. See `quire try --help`"],
    [
      ["--level", "hig"],
      'Expected --level to be one of low, high (got "hig"). Did you mean high? See `quire try --help`',
    ],
    [["a", "b", "c"], 'Unexpected argument "c". See `quire try --help`'],
  ])("%j are rejected", (args, message) => {
    expect(() => parse(...args)).toThrow(message);
  });

  test("that are very long are shortened in the error", () => {
    expect(() => parse("a", "b", "c".repeat(100))).toThrow(`"${"c".repeat(60)}…"`);
  });
});

describe("a command with a command line of another program", () => {
  test.each([
    [["n", "--", "x", "--env", "y"], {}, ["n", "x", "--env", "y"]],
    [["n", "npx", "-y", "--url"], {}, ["n", "npx", "-y", "--url"]],
    [["--env", "A=1", "n", "x"], { env: ["A=1"] }, ["n", "x"]],
    [["n", "--env", "A=1", "--", "x"], { env: ["A=1"] }, ["n", "x"]],
  ])("%j", async (args, values, positionals) => {
    const { command: add, args: own } = await findCommand(root, ["mcp", "add", ...args]);
    const parsed = parseCommand(add, own);

    expect(parsed.positionals).toEqual(positionals);
    expect(parsed.values).toMatchObject(values);
  });

  test("rejects a name of two words", async () => {
    const { command: add } = await findCommand(root, ["mcp", "add"]);

    expect(() => parseCommand(add, ["my", "server", "--", "x"])).toThrow(
      'Expected `--` and a command after the name (got "server"): a name is one word.',
    );
  });
});

// `cloud` has the subcommand `apply` and nothing else; alone it is rejected with that hint.
const alone = commands.map(({ name }) => name).filter((name) => name !== "cloud");

test.each(alone)("%s without arguments has the same values as with `--`", async (name) => {
  const { command: found } = await findCommand(root, [name]);

  expect(parseCommand(found, [])).toEqual(parseCommand(found, ["--"]));
});
