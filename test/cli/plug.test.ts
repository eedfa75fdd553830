import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { bin, quireCommand } from "../support/bin.js";
import { createUser } from "./support/run-quire.js";

describe("a program whose surroundings fail it", () => {
  test.each([
    [["--help"]],
    [["completion", "bash"]],
    [["features", "list"]],
    [["sessions", "list"]],
    [["mcp", "list", "--json"]],
  ])("%j ends quietly when nobody reads what it writes", async (args) => {
    using user = createUser();
    const env = { PATH: process.env.PATH ?? "", HOME: user.home, CODEX_HOME: user.home };
    const child = spawn(...quireCommand(args), { cwd: user.project, env });
    child.stdout.destroy();
    let stderr = "";
    child.stderr.on("data", (data) => {
      stderr += data;
    });

    const [code] = await once(child, "close");

    expect([0, 1]).toContain(code);
    expect(stderr).toBe("");
  });

  test.each([
    [["login", "status"]],
    [["mcp", "list"]],
    [["sessions", "list"]],
    [["features", "list"]],
    [["logout"]],
  ])("%j says so when the home is a file", async (args) => {
    using user = createUser();

    const ran = await user.run(args, { env: { CODEX_HOME: bin } });

    expect(ran.stderr).not.toContain("    at ");
    if (ran.code !== 0) expect(ran.stderr).toMatch(/^quire: /);
  });

  test.each([[["login", "status"]], [["mcp", "list"]], [["features", "list"]]])(
    "%j names the line when the config is broken, with exit code 3",
    async (args) => {
      using user = createUser();
      writeFileSync(`${user.home}/config.toml`, 'model = "m"\nthis is no TOML\n');

      const ran = await user.run(args);

      expect(ran.code).toBe(3);
      expect(ran.stderr).toMatch(/config\.toml.*2/s);
      expect(ran.stderr).not.toContain("    at ");
    },
  );

  test("nonsense never ends in a stack trace", async () => {
    using user = createUser();
    const nonsense = [
      ["--"],
      ["mcp", "--", "x"],
      ["sessions", "export", "\u001b[2J"],
      ["sessions", "export", "../../etc/passwd"],
      ["archive", "a".repeat(5000)],
      ["mcp", "get", "__proto__"],
      ["mcp", "remove", "constructor"],
      ["features", "enable", "__proto__"],
      ["-c", "=x", "features", "list"],
      ["-c", "a..b=1", "features", "list"],
      ["-c", "__proto__.x=1", "features", "list"],
      ["--era", "", "proto"],
      ["login", "--", "status"],
      ["completion", "--bogus"],
      ["app-server", "--listen", ""],
      ["app-server", "--listen=tcp://127.0.0.1:99999"],
      ["sandbox", "--", "/no/such/program"],
      ["policy", "explain"],
      ["apply-patch", "nonsense"],
      ["mock-model", "nowhere.json"],
    ];

    const ran = await Promise.all(nonsense.map((args) => user.run(args)));

    for (const [index, { stderr, code }] of ran.entries()) {
      expect([nonsense[index], stderr.includes("    at ")]).toEqual([nonsense[index], false]);
      expect(stderr).not.toContain("\u001b");
      expect([0, 1, 2, 3, 127]).toContain(code);
    }
  });
});
