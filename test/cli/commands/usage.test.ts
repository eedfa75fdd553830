import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createInProcessUser } from "../support/in-process.js";

describe("quire login and logout", () => {
  test("store an API key, show it masked, and delete it", async () => {
    using user = createInProcessUser();
    const input = "sk-test-1234567890abcdef\n";
    const login = await user.run(["login", "--with-api-key"], { input });
    const status = await user.run(["login", "status"]);
    const json = await user.run(["login", "status", "--json"]);
    const logout = await user.run(["logout"]);

    expect(login).toEqual({
      code: 0,
      stdout: "",
      stderr: "Reading API key from standard input\nSuccessfully logged in\n",
    });
    expect(status.stderr).toBe("Logged in using an API key - sk-test-***bcdef\n");
    expect(JSON.parse(json.stdout)).toMatchObject({ method: "apikey" });
    expect(logout).toMatchObject({ code: 0, stderr: "Successfully logged out\n" });
    expect(existsSync(join(user.home, "auth.json"))).toBe(false);
  });

  test("without a login exit with 1", async () => {
    using user = createInProcessUser();

    expect(await user.run(["login", "status"])).toEqual({
      code: 1,
      stdout: "",
      stderr: "Not logged in\n",
    });
    expect((await user.run(["login", "status", "--json"])).stdout).toBe('{"method":null}\n');
  });

  test.each([
    [
      ["login", "--with-api-key", "--device-auth"],
      "`--with-api-key` and `--device-auth` cannot be used together",
    ],
    [
      ["login", "--api-key", "x"],
      "--api-key is not supported: the key would be visible in process lists.",
    ],
    [["login", "--with-access-token"], "--with-access-token is not supported."],
    [["login", "extra"], "Unknown command `quire login extra`"],
    [["logout", "extra"], "Unexpected argument 'extra'"],
  ])("reject %j", async (args, message) => {
    using user = createInProcessUser();
    const { code, stderr } = await user.run(args);

    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test("do not read a key from a terminal", async () => {
    using user = createInProcessUser();
    const { code, stderr } = await user.run(["login", "--with-api-key"], { isTTY: true });

    expect(code).toBe(2);
    expect(stderr).toContain("printenv OPENAI_API_KEY | quire login --with-api-key");
  });

  test.each([
    ["chatgpt", ["login", "--with-api-key"], "requires a login with ChatGPT: `quire login`"],
    [
      "api",
      ["login", "--device-auth"],
      "requires a login with a key: `quire login --with-api-key`",
    ],
  ])("with forced_login_method = %s reject %j", async (method, args, message) => {
    using user = createInProcessUser();
    user.write("home/config.toml", `forced_login_method = "${method}"\n`);
    const { code, stderr } = await user.run(args, { input: "sk-x\n" });

    expect(code).toBe(3);
    expect(stderr).toContain(message);
  });
});

describe("quire mcp", () => {
  test("adds, lists, shows and removes a server", async () => {
    using user = createInProcessUser();
    const added = await user.run(["mcp", "add", "docs", "--env", "A=b", "--", "npx", "-y", "docs"]);
    const listed = await user.run(["mcp", "list"]);
    const shown = await user.run(["mcp", "get", "docs"]);
    const json = await user.run(["mcp", "get", "docs", "--json"]);
    const removed = await user.run(["mcp", "remove", "docs"]);
    const again = await user.run(["mcp", "remove", "docs"]);

    expect(added.stdout).toBe("Added global MCP server 'docs'.\n");
    expect(listed.stdout).toBe(
      "Name  Command  Args     Env      Cwd  Status   Auth\n" +
        "docs  npx      -y docs  A=*****  -    enabled  Unsupported\n",
    );
    expect(shown.stdout).toBe(
      [
        "docs",
        "  enabled: true",
        "  transport: stdio",
        "  command: npx",
        "  args: -y docs",
        "  cwd: -",
        "  env: A=*****",
        "  remove: quire mcp remove docs",
        "",
      ].join("\n"),
    );
    expect(JSON.parse(json.stdout)).toMatchObject({
      name: "docs",
      enabled: true,
      transport: { type: "stdio", command: "npx", args: ["-y", "docs"], env: { A: "b" } },
    });
    expect(removed.stdout).toBe("Removed global MCP server 'docs'.\n");
    expect(again.stdout).toBe("No MCP server named 'docs' found.\n");
    expect(readFileSync(join(user.home, "config.toml"), "utf8").trim()).toBe("");
  });

  test.each([
    [["mcp", "add"], 2, "Missing server name: `quire mcp add NAME -- CMD…`"],
    [["mcp", "add", "x"], 2, "Missing command or URL"],
    [
      ["mcp", "add", "x", "--url", "http://h", "--env", "A=b"],
      2,
      "`--env` and `--url` cannot be used together",
    ],
    [["mcp", "add", "x", "--url", "h"], 2, "Expected --url to be an http or https URL"],
    [
      ["mcp", "add", "x", "--oauth-resource", "r", "--url", "http://h"],
      2,
      "--oauth-resource is not supported",
    ],
    [["mcp", "remove"], 2, "Missing server name; `quire mcp list` lists the servers"],
    [["mcp", "get"], 2, "Missing server name"],
    [["mcp", "get", "x"], 1, "No MCP server named 'x' found."],
    [["mcp", "logout", "x"], 1, "No MCP server named 'x' found."],
  ])("rejects %j", async (args, code, message) => {
    using user = createInProcessUser();
    const ran = await user.run(args);

    expect(ran.code).toBe(code);
    expect(ran.stderr).toContain(message);
  });

  test("suggests the nearest server", async () => {
    using user = createInProcessUser();
    user.write("home/config.toml", '[mcp_servers.docs]\ncommand = "c"\n');

    expect((await user.run(["mcp", "get", "dcos"])).stderr).toContain("Did you mean 'docs'?");
  });

  test("without a command prints its help as an error", async () => {
    using user = createInProcessUser();
    const { code, stdout, stderr } = await user.run(["mcp"]);

    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("Usage: quire mcp [OPTIONS]");
  });
});

describe("other commands", () => {
  test.each([
    [["debug"], "Missing command: `quire debug models` or `quire debug prompt-input`"],
    [["policy"], "Missing command: `quire policy explain -- CMD…`"],
    [["apply"], "Missing task id: `quire apply TASK_ID`"],
    [["cloud"], "`cloud` is a command of Codex that Quire does not have."],
    [["demo"], "demo asks for approvals: run it in a terminal, or pass --yes"],
    [["completion", "tcsh"], "Expected SHELL to be one of bash, zsh, fish, powershell (got tcsh)"],
    [["app-server", "generate-ts"], "Missing --out DIR"],
    [["mock-model"], "mock-model takes one script"],
    [
      ["mock-model", "x.json", "--port", "x"],
      "Expected --port to be a number from 0 to 65535 (got x)",
    ],
    [["app-server", "--token-file", "t"], "Standard input has a single client"],
    [["proto", "--events", "few"], "Expected --events to be one of standard, all"],
  ])("%j is a usage error", async (args, message) => {
    using user = createInProcessUser();
    const { code, stderr } = await user.run(args);

    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test("debug models prints the catalog of the era", async () => {
    using user = createInProcessUser();
    const slugs = async (...args: string[]) => {
      const { stdout } = await user.run([...args, "debug", "models"]);
      return (JSON.parse(stdout).models as { slug: string }[]).map(({ slug }) => slug);
    };

    expect(await slugs()).toContain("gpt-6.1-sol");
    expect(await slugs("--era", "0.42")).not.toContain("gpt-6.1-sol");
  });

  test("apply without a login is an error with the remedy", async () => {
    using user = createInProcessUser();
    const { code, stderr } = await user.run(["apply", "task_1"]);

    expect(code).toBe(3);
    expect(stderr).toContain("Codex Cloud tasks require a ChatGPT login: run `quire login`.");
  });

  test("policy explain names the decision and the rules", async () => {
    using user = createInProcessUser();
    const { code, stdout } = await user.run(["policy", "explain", "--", "ls"]);

    expect(code).toBe(0);
    expect(stdout).toMatch(/^Command {3}ls\nPolicy {4}approval on-request, sandbox read-only\n/);
    expect(stdout).toContain("Rules     0 rules from 0 files\n");
  });

  test("apply-patch applies the argument or standard input", async () => {
    using user = createInProcessUser();
    const patch = (name: string) =>
      `*** Begin Patch\n*** Add File: ${name}\n+hello\n*** End Patch\n`;
    const typed = await user.run(["apply-patch", patch("a.txt")]);
    const piped = await user.run(["apply-patch"], { input: patch("b.txt") });
    const wrong = await user.run(["apply-patch", "nonsense"]);

    expect([typed.code, piped.code, wrong.code]).toEqual([0, 0, 1]);
    expect(readFileSync(join(user.project, "a.txt"), "utf8")).toBe("hello\n");
    expect(readFileSync(join(user.project, "b.txt"), "utf8")).toBe("hello\n");
  });
});
