import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkHome, checkNode, checkTerminal } from "../../../src/cli/doctor/machine.js";
import { createInProcessUser } from "../support/in-process.js";

test.each([
  ["20.18.3", "failed"],
  ["20.19.0", "ok"],
  ["18.20.0", "failed"],
  ["22.0.0", "ok"],
])("Node %s is %s", (version, status) => {
  expect(checkNode(version)).toMatchObject({ status, detail: `Node ${version}` });
});

describe("the home directory", () => {
  test("that exists is ok", () => {
    using user = createInProcessUser();

    expect(checkHome(user.home)).toEqual({ status: "ok", detail: user.home });
  });

  test("that can be created is ok", () => {
    using user = createInProcessUser();
    const home = join(user.home, "deep/new");

    expect(checkHome(home)).toEqual({
      status: "ok",
      detail: `${home} (does not exist yet; created on first use)`,
    });
  });

  test("with a login that others can read has a remedy", () => {
    using user = createInProcessUser();
    const file = user.write("home/auth.json", "{}");
    chmodSync(file, 0o644);

    expect(checkHome(user.home)).toEqual({
      status: "warning",
      detail: `${user.home}: others can read auth.json`,
      remedy: `chmod 600 ${file}`,
    });
    chmodSync(file, 0o600);
    expect(checkHome(user.home)).toMatchObject({ status: "ok" });
  });
});

describe("the terminal", () => {
  /** Checks a terminal of 16 colors with this environment and size. */
  function check(env: Record<string, string>, size: { columns?: number; rows?: number } = {}) {
    const stdout = { isTTY: true, columns: 80, rows: 24, getColorDepth: () => 4, ...size };
    return checkTerminal({ stdout: stdout as unknown as NodeJS.WriteStream, env });
  }

  test("that is none is ok", () => {
    const stdout = { isTTY: false } as unknown as NodeJS.WriteStream;

    expect(checkTerminal({ stdout, env: {} })).toEqual({
      status: "ok",
      detail: "none: output is not a terminal",
    });
  });

  test.each([
    [{ TERM: "xterm", LANG: "C.UTF-8" }, {}, "ok", "xterm, 80×24, 16 colours"],
    [
      { TERM: "xterm", LANG: "C.UTF-8", NO_COLOR: "1" },
      {},
      "ok",
      "xterm, 80×24, no colours (NO_COLOR)",
    ],
    [{ LANG: "C.UTF-8" }, {}, "warning", "TERM is not set"],
    [{ TERM: "dumb", LANG: "C.UTF-8" }, {}, "warning", "TERM is dumb"],
    [{ TERM: "xterm" }, {}, "warning", "xterm; the locale is not UTF-8"],
    [
      { TERM: "xterm", LC_ALL: "C", LANG: "C.UTF-8" },
      {},
      "warning",
      "xterm; the locale is not UTF-8",
    ],
    [{ TERM: "xterm", LANG: "en_US.utf8" }, { columns: 30 }, "warning", "xterm, 30×24"],
    [{ TERM: "xterm", LANG: "C.UTF-8" }, { rows: 5 }, "warning", "xterm, 80×5"],
  ])("with %j and %j is %s: %s", (env, size, status, detail) => {
    expect(check(env as Record<string, string>, size)).toMatchObject({ status, detail });
  });
});

describe("quire doctor", () => {
  test("prints long findings in full with --all", async () => {
    using user = createInProcessUser();
    const keys = Array.from({ length: 20 }, (_, at) => `unknown_key_${at} = 1\n`).join("");
    user.write(
      "home/config.toml",
      `model_provider = "x"\n[model_providers.x]\nbase_url = "http://127.0.0.1:1"\n`,
    );
    user.write(
      "home/config.toml",
      `${keys}model_provider = "x"\n[model_providers.x]\nbase_url = "http://127.0.0.1:1"\n`,
    );
    const short = await user.run(["doctor"]);
    const all = await user.run(["doctor", "--all"]);

    expect(short.stdout).not.toContain("unknown_key_19");
    expect(short.stdout).toContain("…");
    expect(all.stdout).toContain("unknown_key_19");
    expect(all.stdout).toMatch(/\d+ ok, \d+ warnings?, \d+ failed\n$/);
  });

  test("prints no remedies with --summary", async () => {
    using user = createInProcessUser();
    user.write("home/config.toml", "model = 1\n");
    const { code, stdout } = await user.run(["doctor", "--summary"]);

    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAIL {2}Config .*`model` must be a string, not 1$/m);
    expect(stdout).not.toContain("→");
  });
});
