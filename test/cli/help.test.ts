import { describe, expect, test } from "vitest";
import type { Command } from "../../src/cli/command.js";
import { commandText, overviewText, shownOptions } from "../../src/cli/help.js";
import { root } from "../../src/cli/table.js";

/** Every command of the program but the program itself. */
async function allCommands(command: Command = root): Promise<Command[]> {
  const loaded = await Promise.all((command.verbs ?? []).map((entry) => entry.load()));
  const inner = await Promise.all(loaded.map((one) => allCommands(one)));
  return [...loaded, ...inner.flat()];
}

/** Lines that are wider than a terminal of 80 columns. */
function tooWide(text: string): string[] {
  return text.split("\n").filter((line) => line.length > 80);
}

describe("help", () => {
  test("of every command fits 80 columns and starts with a summary", async () => {
    const commands = await allCommands();

    expect(commands.length).toBeGreaterThan(30);
    expect(tooWide(overviewText(root))).toEqual([]);
    for (const command of commands) {
      expect([command.name, tooWide(commandText(command))]).toEqual([command.name, []]);
      expect(command.summary).toMatch(/^[A-Z].*[^.]$/);
    }
  });

  test("describes every option in at most three lines of 40 columns or more", async () => {
    for (const { name, options } of [root, ...(await allCommands())]) {
      const long = shownOptions(options).filter(([, { help }]) => help.length > 3 * 40);
      expect([name, long]).toEqual([name, []]);
    }
  });

  test("of a command has its own options first, then the others by what they are about", async () => {
    const [review] = (await allCommands()).filter(({ name }) => name === "exec review");
    if (review === undefined) throw new Error("There is no review");

    const blocks = commandText(review)
      .split("\n\n")
      .filter((block) => block.includes("  --"))
      .map((block) => [block.split(":")[0], block.match(/(?<=^ +(?:-\w, )?)--[\w-]+/gm)]);

    expect(blocks).toEqual([
      [
        "Options",
        [
          ...["--uncommitted", "--base", "--commit", "--title"],
          ...["--model", "--cd", "--image"],
          ...[
            "--json",
            "--output-last-message",
            "--output-schema",
            "--replay",
            "--lenient",
            "--ephemeral",
            "--color",
          ],
          "--help",
        ],
      ],
      [
        "Permissions",
        [
          ...["--sandbox", "--ask-for-approval", "--full-auto", "--add-dir", "--search"],
          ...["--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust"],
          ...["--permissions", "--skip-git-repo-check"],
        ],
      ],
      ["Limits", ["--max-turns", "--max-tokens", "--max-seconds"]],
      [
        "Settings",
        [
          ...["--profile", "--oss", "--local-provider", "--remote", "--fleet", "--pool"],
          ...[
            "--remote-auth-token-env",
            "--config",
            "--enable",
            "--disable",
            "--strict-config",
            "--ignore-user-config",
            "--ignore-rules",
            "--thread-source",
            "--era",
          ],
        ],
      ],
    ]);
  });

  test("no two options of a command share a letter, and other spellings lead somewhere", async () => {
    for (const { name, options } of [root, ...(await allCommands())]) {
      const letters = Object.values(options).flatMap(({ short }) => short ?? []);
      const targets = Object.values(options).flatMap(({ aliasOf }) => aliasOf ?? []);

      expect([name, letters.filter((letter, at) => letters.indexOf(letter) !== at)]).toEqual([
        name,
        [],
      ]);
      expect(targets.filter((target) => !Object.hasOwn(options, target))).toEqual([]);
      expect(letters.filter((letter) => letter === "h" || letter === "V")).toEqual([]);
    }
  });

  test("names and summaries in a list of commands are those of the commands", async () => {
    for (const parent of [root, ...(await allCommands())]) {
      for (const entry of parent.verbs ?? []) {
        const { name, summary } = await entry.load();

        expect(name).toBe(parent.name === "" ? entry.name : `${parent.name} ${entry.name}`);
        expect([name, entry.summary]).toEqual([name, summary]);
      }
    }
  });
});
