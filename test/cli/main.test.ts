import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../../src/cli/table.js";
import { createInProcessUser } from "./support/in-process.js";

describe("the program", () => {
  test.each([
    [["--version"], "quire 1.2.3\n"],
    [["-V"], "quire 1.2.3\n"],
    [["exec", "--version"], "quire 1.2.3\n"],
    [["--as", "codex@0.99.0", "--version"], "codex-cli 0.99.0\n"],
    [["--era", "0.42", "--as", "codex", "-V"], "codex-cli 0.42.0\n"],
  ])("prints the version for %j", async (args, stdout) => {
    using user = createInProcessUser();

    expect(await user.run(args)).toEqual({ code: 0, stdout, stderr: "" });
  });

  test.each((root.verbs ?? []).flatMap(({ name, hidden }) => (hidden ? [] : [name])))(
    "prints the help of %s in three ways",
    async (name) => {
      using user = createInProcessUser();
      const help = await user.run([name, "--help"]);

      expect(help).toMatchObject({ code: 0, stderr: "" });
      expect(help.stdout).toMatch(new RegExp(`^[A-Z].*\\.\n\nUsage: quire ${name} \\[OPTIONS\\]`));
      expect(await user.run([name, "-h"])).toEqual(help);
      expect(await user.run(["help", name])).toEqual(help);
    },
  );

  test("wraps the help to the terminal, up to 100 columns", async () => {
    using user = createInProcessUser();
    const widest = async (columns: number) => {
      const { stdout } = await user.run(["exec", "--help"], { isTTY: true, columns });
      return Math.max(...stdout.split("\n").map((line) => line.length));
    };

    expect(await widest(70)).toBeLessThanOrEqual(70);
    expect(await widest(300)).toBeGreaterThan(80);
    expect(await widest(300)).toBeLessThanOrEqual(100);
  });

  test.each([
    [["--nonsense"], "Unknown option '--nonsense'. See `quire --help`"],
    [["-Z"], "Unknown option '-Z'. See `quire --help`"],
    [["exec", "--jsn"], "Unknown option '--jsn'. Did you mean --json? See `quire exec --help`"],
    [["-m"], "Option '-m, --model <value>' argument missing. See `quire --help`"],
    [["exec", "--model"], "Option '-m, --model <value>' argument missing. See `quire exec --help`"],
    [["exec", "--json=1"], "Option '--json' does not take an argument. See `quire exec --help`"],
    [
      ["-s", "ro"],
      'Expected --sandbox to be one of read-only, workspace-write, danger-full-access (got "ro"). See `quire --help`',
    ],
    [
      ["a", "b"].map((word) => `${word}!`),
      'Unexpected argument "b!". Quote a prompt of several words. See `quire --help`',
    ],
    [
      ["mcp", "lits"],
      "Unknown command `quire mcp lits`. Did you mean `quire mcp list`? See `quire mcp --help`",
    ],
    [["mcp", "zzz"], "Unknown command `quire mcp zzz`. See `quire mcp --help`"],
    [
      ["exce", "it"],
      "Unknown command `exce`. Did you mean `quire exec`? To send it as a prompt: `quire -- exce it`",
    ],
    [
      ["help", "exce"],
      "Unknown command `exce`. Did you mean `quire help exec`? See `quire --help`",
    ],
    [["help", "zzzzzz"], "Unknown command `zzzzzz`. See `quire --help`"],
    [
      ["completion", "--model", "x"],
      "Unknown option '--model'. This command does not start a session. See `quire completion --help`",
    ],
    [["completion", "-c", "a=1"], "Unknown option '-c'. See `quire completion --help`"],
    [
      ["completion", "--config", "a=1"],
      "Unknown option '--config'. This command does not read config.toml. See `quire completion --help`",
    ],
  ])("rejects %j with the remedy", async (args, message) => {
    using user = createInProcessUser();
    const ran = await user.run(args);

    expect(ran).toEqual({ code: 2, stdout: "", stderr: `quire: ${message}\n` });
  });

  test("reports options before a command that have no effect on it, and continues", async () => {
    using user = createInProcessUser();
    const { code, stderr } = await user.run(["-m", "x", "--json", "completion", "bash"]);

    expect(code).toBe(0);
    expect(stderr).toBe(
      "quire: -m has no effect on `quire completion`\n" +
        "quire: --json has no effect on `quire completion`\n",
    );
  });

  test("uses the name codex in all texts if it runs as codex", async () => {
    using user = createInProcessUser();
    const env = { QUIRE_AS: "codex" };
    const help = await user.run(["--help"], { env });
    const wrong = await user.run(["mcp", "lits"], { env });

    expect(help.stdout).toContain("Usage: codex [OPTIONS] [PROMPT]");
    expect(wrong.stderr).toBe(
      "codex: Unknown command `codex mcp lits`. Did you mean `codex mcp list`? See `codex mcp --help`\n",
    );
  });

  test("without a command requires a terminal", async () => {
    using user = createInProcessUser();

    expect(await user.run(["hello"])).toEqual({
      code: 2,
      stdout: "",
      stderr: "quire: The terminal UI requires a terminal. Use `quire exec` in scripts and pipes\n",
    });
  });

  test("makes control characters of errors visible", async () => {
    using user = createInProcessUser();
    const { stderr } = await user.run(["mcp", "get", "\u001b[2J"]);

    expect(stderr).toContain("\\u{1b}[2J");
    expect(stderr).not.toContain("\u001b");
  });
});

describe("--strict-config", () => {
  const unknown = 'modle = "x"\n';

  test.each([
    [["features", "list"]],
    [["mcp", "list"]],
    [["mcp", "get", "x"]],
    [["login", "status"]],
    [["logout"]],
    [["exec", "hi"]],
    [["app-server"]],
    [["mcp-server"]],
    [["proto"]],
  ])("on %j fails with unknown keys", async (args) => {
    using user = createInProcessUser();
    user.write("home/config.toml", unknown);
    const ran = await user.run([...args, "--strict-config"]);

    expect(ran).toEqual({
      code: 3,
      stdout: "",
      stderr: `quire: --strict-config: A setting is ignored: ${join(user.home, "config.toml")}:1: unknown key \`modle\`; did you mean \`model\`?\n`,
    });
  });

  test("accepts a config without unknown keys", async () => {
    using user = createInProcessUser();
    user.write("home/config.toml", 'model = "x"\n');

    expect(await user.run(["features", "list", "--strict-config"])).toMatchObject({ code: 0 });
  });

  test("is a failed check of the doctor", async () => {
    using user = createInProcessUser();
    user.write("home/config.toml", unknown);
    const { code, stdout } = await user.run(["doctor", "--strict-config", "--json"]);

    expect(code).toBe(1);
    expect(JSON.parse(stdout).checks).toContainEqual({
      name: "Config",
      status: "failed",
      detail: expect.stringContaining("--strict-config"),
      remedy: "Fix the config; see docs/configuration.md",
    });
  });

  test.each([
    [["completion", "--strict-config"], "This command does not read config.toml."],
    [["--strict-config", "completion"], "it does not read config.toml"],
    [["exec", "--strict-config", "--remote", "ws://h:1", "hi"], "the server reads the config"],
  ])("in %j is an error", async (args, reason) => {
    using user = createInProcessUser();
    const { code, stderr } = await user.run(args);

    expect(code).toBe(2);
    expect(stderr).toContain("--strict-config");
    expect(stderr).toContain(reason);
  });
});

test("docs/cli.md has a section for every command", () => {
  const docs = readFileSync("docs/cli.md", "utf8");

  for (const { name, hidden } of root.verbs ?? []) {
    expect([name, docs.includes(`## quire ${name}\n`)]).toEqual([name, !hidden]);
  }
});
