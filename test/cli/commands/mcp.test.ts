import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startProtectedServer } from "../../support/mcp-issuer.js";
import { createUser } from "../support/run-quire.js";
import { spawnQuire } from "../support/spawn-quire.js";

const docs = ["mcp", "add", "docs", "--env", "TOKEN=secret", "--", "npx", "-y", "docs", "--flag"];

describe("quire mcp", () => {
  test("adds servers to the file and leaves its comments alone", async () => {
    using user = createUser();
    const file = join(user.home, "config.toml");
    writeFileSync(file, '# mine\nmodel = "m" # this one\n');

    const added = await user.run(docs);
    await user.run([
      "mcp",
      "add",
      "web",
      "--url",
      "http://127.0.0.1:9/mcp",
      "--bearer-token-env-var",
      "T",
    ]);

    expect(added).toEqual({ code: 0, stdout: "Added global MCP server 'docs'.\n", stderr: "" });
    expect(readFileSync(file, "utf8")).toBe(
      [
        '# mine\nmodel = "m" # this one\n',
        '[mcp_servers.docs]\ncommand = "npx"\nargs = ["-y", "docs", "--flag"]\n',
        '[mcp_servers.docs.env]\nTOKEN = "secret"\n',
        '[mcp_servers.web]\nurl = "http://127.0.0.1:9/mcp"\nbearer_token_env_var = "T"\n',
      ].join("\n"),
    );
  });

  test("lists them for people without their secrets, and for programs", async () => {
    using user = createUser();
    await user.run(docs);

    const text = await user.run(["mcp", "list"]);
    const json = await user.run(["mcp", "list", "--json"]);
    const one = await user.run(["mcp", "get", "docs", "--json"]);

    expect(text.stdout).toBe(
      "Name  Command  Args            Env          Cwd  Status   Auth\n" +
        "docs  npx      -y docs --flag  TOKEN=*****  -    enabled  Unsupported\n",
    );
    const server = {
      name: "docs",
      enabled: true,
      disabled_reason: null,
      transport: {
        type: "stdio",
        command: "npx",
        args: ["-y", "docs", "--flag"],
        env: { TOKEN: "secret" },
        env_vars: [],
        cwd: null,
      },
      startup_timeout_sec: null,
      tool_timeout_sec: null,
    };
    expect(JSON.parse(json.stdout)).toEqual([{ ...server, auth_status: "unsupported" }]);
    expect(JSON.parse(one.stdout)).toEqual({
      ...server,
      enabled_tools: null,
      disabled_tools: null,
    });
    expect((await user.run(["mcp", "get", "docs"])).stdout).not.toContain("secret");
  });

  test("removes them, and reports a missing one", async () => {
    using user = createUser();
    await user.run(docs);

    expect((await user.run(["mcp", "remove", "docs"])).stdout).toBe(
      "Removed global MCP server 'docs'.\n",
    );
    expect((await user.run(["mcp", "remove", "docs"])).stdout).toBe(
      "No MCP server named 'docs' found.\n",
    );
    expect((await user.run(["mcp", "list"])).stdout).toContain(
      "quire mcp add my-tool -- my-command",
    );
  });

  test.each([
    [["mcp", "add"], 2, "Missing server name"],
    [["mcp", "add", "a b", "--", "x"], 2, "invalid server name 'a b'"],
    [["mcp", "add", "x"], 2, "Missing command or URL"],
    [["mcp", "add", "x", "--url", "http://h/", "--", "y"], 2, "cannot be used together"],
    [["mcp", "add", "x", "--url", "file:///etc"], 2, "Expected --url to be"],
    [
      ["mcp", "add", "x", "--env", "NOVALUE", "--", "y"],
      2,
      "Expected --env to be NAME=VALUE (got NOVALUE)",
    ],
    [["mcp", "add", "x", "--bearer-token-env-var", "T", "--", "y"], 2, "requires --url"],
    [["mcp", "get", "none"], 1, "No MCP server named 'none' found."],
    [["mcp", "get"], 2, "quire mcp list"],
    [["mcp", "lisst"], 2, "Did you mean `quire mcp list`?"],
    [["mcp", "login", "none"], 1, "No MCP server named 'none' found."],
  ])("%j is refused", async (args, code, words) => {
    using user = createUser();

    const ran = await user.run(args);

    expect({ ...ran, stderr: undefined }).toEqual({ code, stdout: "", stderr: undefined });
    expect(ran.stderr).toContain(words);
  });

  test("logs in to a server with OAuth and out again", async () => {
    using user = createUser();
    await using protectedServer = await startProtectedServer();
    const url = `${protectedServer.server.origin}/mcp`;

    const added = await user.run(["mcp", "add", "web", "--url", url]);
    await using login = spawnQuire(user, ["mcp", "login", "web"]);
    const [link] = await login.untilError(/http\S+(?=\n)/);
    await protectedServer.visit(link);

    expect(added.stdout).toContain("`quire mcp login web`");
    expect(await login.exit).toBe(0);
    expect(login.stdout()).toBe("Successfully logged in to MCP server 'web'.\n");
    expect((await user.run(["mcp", "list"])).stdout).toContain("enabled  OAuth");
    expect((await user.run(["mcp", "logout", "web"])).stdout).toContain("Removed the login");
    expect((await user.run(["mcp", "list"])).stdout).toContain("enabled  Not logged in");
  });

  test("[terminal R14] a name of several words is refused, and nothing is saved", async () => {
    using user = createUser();

    const { code, stderr } = await user.run(["mcp", "add", "bad", "name", "--", "x"]);
    const fine = await user.run(["mcp", "add", "good", "--", "npx", "--", "x"]);

    expect(code).toBe(2);
    expect(stderr).toContain('Expected `--` and a command after the name (got "name")');
    expect(fine.code).toBe(0);
    expect((await user.run(["mcp", "list", "--json"])).stdout).not.toContain("bad");
  });

  test("[terminal R14] without a verb it prints its help, also in a pipe", async () => {
    using user = createUser();

    const { code, stdout, stderr } = await user.run(["mcp"], { input: "{}\n" });

    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("quire mcp-server");
  });

  test("without a verb it was an MCP server in 2025", async () => {
    using user = createUser();
    const initialize = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "t", version: "1" },
      },
    };

    const input = `${JSON.stringify(initialize)}\n`;
    const { code, stdout } = await user.run(["mcp"], { input, env: { QUIRE_ERA: "0.42" } });

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { capabilities: { tools: {} } } });
  });
});
