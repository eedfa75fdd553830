import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listenScriptedModel } from "../../../src/model/scripted/index.js";
import { createUser, type TestUser } from "../support/run-quire.js";

interface Report {
  ok: boolean;
  checks: { name: string; status: string; detail: string; remedy?: string }[];
}

async function examine(user: TestUser, env: Record<string, string> = {}) {
  const { code, stdout } = await user.run(["doctor", "--json"], { env });
  const report: Report = JSON.parse(stdout);
  const statusOf = (name: string) => report.checks.find((check) => check.name === name)?.status;
  return { code, report, statusOf };
}

function configure(user: TestUser, baseUrl: string, more = ""): void {
  writeFileSync(
    join(user.home, "config.toml"),
    `model_provider = "mock"
[model_providers.mock]
name = "mock"
base_url = "${baseUrl}"
env_key = "MOCK_KEY"
${more}`,
  );
}

describe("quire doctor", () => {
  test("finds all well with a model that answers", async () => {
    using user = createUser();
    const model = await listenScriptedModel({ script: [] });
    configure(user, model.baseUrl);

    const { code, report, statusOf } = await examine(user, { MOCK_KEY: "secret-key" });
    await model.close();

    expect({ code, ok: report.ok }).toEqual({ code: 0, ok: true });
    expect(["Node", "Home", "Config", "Sign-in", "Model", "MCP", "Sandbox"].map(statusOf)).toEqual(
      Array(7).fill("ok"),
    );
    expect(JSON.stringify(report)).not.toContain("secret-key");
  });

  test("shows the requirements, the permission profile and the trust in hooks", async () => {
    using user = createUser();
    const hooks = { PreToolUse: [{ hooks: [{ type: "command", command: "true" }] }] };
    writeFileSync(join(user.home, "hooks.json"), JSON.stringify({ hooks }));
    writeFileSync(
      join(user.home, "config.toml"),
      `default_permissions = "work"
[permissions.work]
extends = ":workspace"
filesystem = { ":workspace_roots" = { ".env" = "deny" } }
network = { enabled = true, domains = { "example.org" = "allow" } }
`,
    );

    const { report } = await examine(user);

    const found = new Map(report.checks.map(({ name, ...check }) => [name, check]));
    expect(found.get("Limits")?.status).toBe("ok");
    expect(found.get("Profile")).toEqual({
      status: "ok",
      detail: "work (extends :workspace), 1 denied path, network by 1 domain rule",
    });
    expect(found.get("Hooks")).toEqual({
      status: "warning",
      detail: `0 trusted, 1 not trusted: ${user.home}/hooks.json:pre_tool_use:0:0`,
      remedy: "Review them with `quire hooks list`, then `quire hooks trust`",
    });
  });

  test("prints a remedy for each failed check", async () => {
    using user = createUser();
    configure(
      user,
      "http://127.0.0.1:9/v1",
      '[mcp_servers.broken]\ncommand = "/no/such/program"\n',
    );
    writeFileSync(join(user.home, "auth.json"), "{}");
    chmodSync(join(user.home, "auth.json"), 0o644);

    const { code, report, statusOf } = await examine(user);

    expect(code).toBe(1);
    expect(statusOf("Home")).toBe("warning");
    expect(["Sign-in", "Model", "MCP broken"].map(statusOf)).toEqual(Array(3).fill("failed"));
    const silent = report.checks.filter(({ status, remedy }) => status !== "ok" && !remedy);
    expect(silent).toEqual([]);
    expect((await user.run(["doctor"])).stdout).toContain("→ chmod 600");
  });

  test("reports a missing home and does not create it", async () => {
    using user = createUser();
    const home = join(user.project, "nowhere");

    const { code, report, statusOf } = await examine(user, { CODEX_HOME: home });

    expect(code).toBe(1);
    expect(report.checks.find(({ name }) => name === "Home")).toEqual({
      name: "Home",
      status: "failed",
      detail: expect.stringContaining(home),
      remedy: "Create the directory, or unset CODEX_HOME",
    });
    expect([statusOf("Node"), statusOf("PTY")]).toEqual(["ok", "ok"]);
    expect(existsSync(home)).toBe(false);
  });

  test("continues with the other checks if the config cannot be read", async () => {
    using user = createUser();
    writeFileSync(join(user.home, "config.toml"), "model = \n");

    const { code, statusOf } = await examine(user);

    expect(code).toBe(1);
    expect(statusOf("Config")).toBe("failed");
    expect(statusOf("Node")).toBe("ok");
  });
});
