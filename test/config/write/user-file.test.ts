import { expect, test } from "vitest";
import { removeMcpServer, saveMcpServer } from "../../../src/config/index.js";
import { createTestHome } from "../support/home.js";

test("what is said of a server is written in a fixed order, and read back the same", async () => {
  await using machine = await createTestHome();

  await saveMcpServer(machine.home, "http", {
    http_headers: { Z: "z" },
    enabled: false,
    startup_timeout_sec: 5,
    url: "https://e",
  });
  await saveMcpServer(machine.home, "stdio", {
    env_vars: ["FOO"],
    env: { B: "2", A: "1" },
    args: ["--flag"],
    command: "cmd",
  });

  expect(await machine.read("home/config.toml")).toBe(
    '[mcp_servers.http]\nurl = "https://e"\nenabled = false\nstartup_timeout_sec = 5.0\n\n' +
      '[mcp_servers.http.http_headers]\nZ = "z"\n\n' +
      '[mcp_servers.stdio]\ncommand = "cmd"\nargs = ["--flag"]\nenv_vars = ["FOO"]\n\n' +
      '[mcp_servers.stdio.env]\nA = "1"\nB = "2"\n',
  );
  const { mcp_servers } = await machine.load();
  expect(mcp_servers.get("http")).toMatchObject({ enabled: false, startup_timeout_ms: 5000 });
});

test("a server is written anew or taken away, the rest of the file stays", async () => {
  const text =
    '# mine\nmodel = "a"\n\n[mcp_servers.x]\ncommand = "x"\n\n[mcp_servers.x.env]\nA = "1"\n';
  await using machine = await createTestHome({ "home/config.toml": text });

  await saveMcpServer(machine.home, "x", { command: "x" });
  const fewer = await machine.read("home/config.toml");
  const removed = [
    await removeMcpServer(machine.home, "x"),
    await removeMcpServer(machine.home, "x"),
  ];

  expect(removed).toEqual([true, false]);
  expect(fewer).toBe('# mine\nmodel = "a"\n\n[mcp_servers.x]\ncommand = "x"\n');
  expect(await machine.read("home/config.toml")).toBe('# mine\nmodel = "a"\n');
});
