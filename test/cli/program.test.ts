import { describe, expect, test } from "vitest";
import { createUser, type Ran } from "./support/run-quire.js";

/** Runs the built program for a new user, without standard input. */
async function quire(...args: string[]): Promise<Ran> {
  using user = createUser();
  return await user.run(args);
}

describe("the command line", () => {
  test("prints its version, and as codex the version it is compatible with", async () => {
    using user = createUser();

    expect(await user.run(["--version"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^quire \d+\.\d+\.\d+\n$/),
    });
    expect((await user.run(["mcp", "list", "-V"])).stdout).toMatch(/^quire \d/);
    expect((await user.runAsCodex(["--version"])).stdout).toMatch(/^codex-cli \d+\.\d+\.\d+\n$/);
    expect((await user.runAsCodex(["--era", "0.42", "-V"])).stdout).toBe("codex-cli 0.42.0\n");
    const env = { QUIRE_ERA: "0.104" };
    expect((await user.runAsCodex(["-V"], { env })).stdout).toBe("codex-cli 0.104.0\n");
  });

  test("its help names every command", async () => {
    const { code, stdout } = await quire("--help");

    expect(code).toBe(0);
    for (const name of ["exec", "proto", "demo", "mock-model", "sandbox", "policy", "doctor"]) {
      expect(stdout).toContain(`  ${name} `);
    }
    expect(await quire("help")).toEqual(await quire("-h"));
    expect(await quire("help", "mcp", "add")).toEqual(await quire("mcp", "add", "--help"));
  });

  test.each([
    ["app-server", "--analytics-default-enabled"],
    ["app-server", "--stdio"],
    ["debug", "landlock", "--full-auto", "true"],
    ["sandbox", "linux", "--", "true"],
    ["p", "--no-session"],
  ])("%j is taken as older and other versions have it", async (...args) => {
    const { code, stderr } = await quire(...args);

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  test("options of a conversation may stand in front of a verb", async () => {
    using user = createUser();

    const both = await user.run(["-c", "features.unified_exec=true", "features", "list", "--json"]);
    const odd = await user.run(["-m", "x", "--era=0.42", "features", "list", "--json"]);

    const features: { name: string; enabled: boolean }[] = JSON.parse(both.stdout);
    expect(features.find(({ name }) => name === "unified_exec")?.enabled).toBe(true);
    expect(odd).toMatchObject({
      code: 0,
      stderr: "quire: -m has no effect on `quire features list`\n",
    });
  });

  test.each([
    [["prto"], "Did you mean `quire proto`?"],
    [["proto", "--bogus"], "See `quire proto --help`"],
    [["help", "exce"], "Did you mean `quire help exec`?"],
    [["exce"], "Did you mean `quire exec`?"],
    [["proto", "--listn", "ws://x"], "Did you mean --listen?"],
    [["--modle", "x"], "Did you mean --model?"],
    [["-s", "readonly"], "Did you mean read-only?"],
    [["one", "two"], 'Unexpected argument "two"'],
    [["mcpp"], "To send it as a prompt: `quire -- mcpp`"],
    [["proto", "extra"], "See `quire proto --help`"],
    [["sandbox"], "quire sandbox [--full-auto]"],
    [["policy", "explan"], "Did you mean `quire policy explain`?"],
    [["policy"], "quire policy explain -- CMD"],
  ])("%j is answered by what to type instead, with exit code 2", async (args, hint) => {
    const { code, stdout, stderr } = await quire(...args);

    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(hint);
  });

  test("an unknown era is refused by name", async () => {
    using user = createUser();

    const { code, stderr } = await user.run(["proto"], { env: { QUIRE_ERA: "0.1" } });

    expect(code).toBe(2);
    expect(stderr).toContain("(got 0.1)");
  });

  test("the demo does a whole task and leaves nothing behind", async () => {
    const { code, stdout } = await quire("demo", "--yes");

    expect(code).toBe(0);
    expect(stdout).toContain("scripted model");
    expect(stdout).toContain("1 test passed");
    expect(stdout).toContain('+exports.greet = (name) => "Hello, " + name + "!";');
  });

  test("the demo without a terminal and without --yes names the remedy", async () => {
    const { code, stderr } = await quire("demo");

    expect(code).toBe(2);
    expect(stderr).toContain("--yes");
  });
});
