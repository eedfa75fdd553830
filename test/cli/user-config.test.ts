import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { requireEnforceable } from "../../src/cli/user-config.js";
import { createInProcessUser } from "./support/in-process.js";

test("[terminal R12] the terminal UI does not start on settings that cannot be read", async () => {
  const home = mkdtempSync(join(tmpdir(), "quire-broken-"));
  writeFileSync(join(home, "config.toml"), 'sandbox_mode = "read-only"\nbroken [\n');
  const sources = { env: { CODEX_HOME: home, HOME: home }, cwd: home };

  try {
    await expect(requireEnforceable(sources, { mustLoad: true })).rejects.toThrow(
      /config\.toml:2:\d+/,
    );
    await expect(requireEnforceable(sources)).resolves.toBeUndefined();
  } finally {
    rmSync(home, { recursive: true });
  }
});

test.each(["proto", "mcp-server", "acp"])(
  "%s does not start on hooks that are not understood",
  async (command) => {
    using user = createInProcessUser();
    user.write("home/hooks.json", '{"hooks":{"PreToolUze":[]}}');

    const { code, stdout, stderr } = await user.run([command]);

    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toContain("hooks.json:1: `hooks.PreToolUze`: unknown event");
  },
);
