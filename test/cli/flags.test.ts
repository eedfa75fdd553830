import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makePlace } from "../support/exec.js";
import { calls, says } from "../support/model.js";
import { startProgram } from "../support/program.js";
import { createUser } from "./support/run-quire.js";

describe("[terminal M7] the help of the program", () => {
  test.each(["--oss", "--full-auto", "--image", "--search", "--add-dir", "--remote", "--yolo"])(
    "names %s",
    async (option) => {
      using user = createUser();

      expect((await user.run(["--help"])).stdout).toContain(option);
    },
  );
});

describe("flags of the reference", () => {
  test.each([
    [
      ["exec", "--cyber-access-program", "standard", "hi"],
      "Omit it to use the provider's defaults",
    ],
    [["login", "--with-access-token"], "quire login --device-auth"],
    [["mcp", "add", "x", "--url", "http://127.0.0.1:1", "--oauth-client-id", "y"], "mcp login"],
    [["sandbox", "--cd", "nowhere", "true"], "no such directory"],
  ])("%j names the remedy, with exit code 2", async (args, hint) => {
    using user = createUser();

    const { code, stderr } = await user.run(args);

    expect(code).toBe(2);
    expect(stderr).toContain(hint);
  });

  test("--strict-config refuses keys that mean nothing", async () => {
    using user = createUser();
    writeFileSync(join(user.home, "config.toml"), "no_such_key = 1\n");

    const { code, stderr } = await user.run(["exec", "--strict-config", "hi"]);

    expect(code).toBe(3);
    expect(stderr).toContain("no_such_key");
  });

  test("--ignore-user-config does not read config.toml", async () => {
    using user = createUser();
    writeFileSync(join(user.home, "config.toml"), "this is [ no TOML");
    const args = ["exec", "--skip-git-repo-check"];

    const read = await user.run([...args, "hi"]);
    const ignored = await user.run([...args, "--ignore-user-config", "hi"]);

    expect(read.stderr).toContain("config.toml:1:");
    expect(ignored.stderr).not.toContain("config.toml:1:");
    expect(ignored.stderr).toContain("No model to ask");
  });

  test("--ignore-rules does not read rules; --thread-source is taken", async () => {
    const touch = calls("shell", { command: ["touch", "made"] });
    await using place = await makePlace([touch, says("No."), touch, says("Done.")]);
    mkdirSync(join(place.home, "rules"), { recursive: true });
    const rule = 'prefix_rule(pattern=["touch"], decision="forbidden")\n';
    writeFileSync(join(place.home, "rules/default.rules"), rule);
    const args = ["exec", "-s", "danger-full-access", "--thread-source", "ci"];

    await place.run("quire", [...args, "hi"]);
    const withRules = existsSync(join(place.workspace, "made"));
    await place.run("quire", [...args, "--ignore-rules", "hi"]);

    expect(withRules).toBe(false);
    expect(existsSync(join(place.workspace, "made"))).toBe(true);
  });

  test("doctor --summary omits remedies, and missing files are not reported as existing", async () => {
    using user = createUser();
    const env = { CODEX_HOME: "" };

    const whole = await user.run(["doctor"], { env });
    const short = await user.run(["doctor", "--summary"], { env });

    expect(whole.stdout).toContain("→");
    expect(short.stdout).not.toContain("→");
    expect(whole.stdout, "[terminal R13]").toMatch(/Home .*does not exist yet/);
    expect(whole.stdout, "[terminal R13]").toMatch(
      /Config .*does not exist; the defaults are used/,
    );
  });
});

describe("exec", () => {
  test("[terminal R11] an interrupt completes what ran and fails the turn, with exit code 130", async () => {
    await using program = await startProgram({
      args: ["exec", "--json", "--skip-git-repo-check", "hi"],
      model: [calls("exec_command", { cmd: "sleep 60", yield_time_ms: 30_000, login: false })],
    });
    program.child.stdin.end();
    await program.until<{ type: string }>(({ type }) => type === "item.started");

    program.child.kill("SIGINT");
    const { code } = await program.exit;

    expect(code).toBe(130);
    expect(program.lines.slice(-2)).toMatchObject([
      { type: "item.completed", item: { type: "command_execution", status: "failed" } },
      { type: "turn.failed", error: { message: "The turn was interrupted" } },
    ]);
  });

  test("[security H12] what the model says carries no escape sequences into a pipe", async () => {
    await using place = await makePlace([
      calls("shell", { command: ["printf", "\\033]0;evil\\007out"] }),
      says("Hello\u001b[31m red\u001b]52;c;ZXZpbA==\u0007."),
    ]);

    const { stdout, stderr } = await place.run("quire", ["exec", "-s", "danger-full-access", "hi"]);

    expect(stdout).toBe("Hello red.\n");
    expect(stderr).toContain("out");
    expect([...(stdout + stderr)].filter((letter) => letter < " " && letter !== "\n")).toEqual([]);
  });
});
