import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadConfig } from "../../../src/config/index.js";
import { createLocalHooks } from "../../../src/engine/local/hooks.js";

/** Creates the hooks of an embedding program under requirements. */
async function create(requirements: string, failing = () => Promise.reject(new Error("broken"))) {
  const home = mkdtempSync(join(tmpdir(), "quire-local-hooks-"));
  try {
    writeFileSync(join(home, "requirements.toml"), requirements);
    const env = { HOME: home, CODEX_HOME: home };
    const config = await loadConfig({ env, cwd: home, systemFolder: home });
    const services = {
      sessionId: "s",
      started() {},
      completed() {},
      warn() {},
      callMcpTool: async () => undefined,
      now: () => 0,
    };
    return createLocalHooks(config, services, { env, functions: { PreToolUse: [failing] } });
  } finally {
    rmSync(home, { recursive: true });
  }
}

describe("hooks of the embedding program", () => {
  test("are refused if the administrator allows only managed ones", async () => {
    await expect(create("allow_managed_hooks_only = true")).rejects.toThrow(
      /requirements\.toml:1: `allow_managed_hooks_only`.*omit `hooks`/,
    );
  });

  test.each([
    ["", undefined],
    ['on_failure = "deny"', "broken"],
  ])("that fail under %j block with %j", async (requirements, reason) => {
    const hooks = await create(requirements);
    const call = { event: "PreToolUse" as const, names: ["Bash"], cwd: "/", input: {} };

    const { blocked } = (await hooks?.run(call, new AbortController().signal)) ?? {};

    if (reason === undefined) expect(blocked).toBeUndefined();
    else expect(blocked?.reason).toContain(reason);
    await hooks?.close();
  });
});
