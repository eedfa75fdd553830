import { describe, expect, test } from "vitest";
import { startableServers } from "../../../src/config/index.js";
import { createTestHome, setTrust, type TestHome, trusts } from "../support/home.js";

/** A machine with a trusted project that configures servers. */
async function createProject(servers: string): Promise<TestHome> {
  const machine = await createTestHome();
  await machine.write(
    "home/config.toml",
    `[mcp_servers.own]\ncommand = "own"\n${trusts(machine.path("work"))}`,
  );
  await machine.write("work/.codex/config.toml", servers);
  return machine;
}

async function start(machine: TestHome) {
  const { servers, warnings } = await startableServers(await machine.load());
  return { names: [...servers.keys()].sort(), warnings };
}

const server = (name: string, command: string) => `[mcp_servers.${name}]\ncommand = "${command}"\n`;

describe("servers of a trusted project", () => {
  test("are started as they were when it was trusted", async () => {
    await using machine = await createProject(server("a", "one"));

    expect(await start(machine)).toEqual({ names: ["a", "own"], warnings: [] });
    expect(await start(machine)).toEqual({ names: ["a", "own"], warnings: [] });
  });

  test.each([
    ["changed", server("a", "two"), ["own"], ["a"]],
    ["added", server("a", "one") + server("b", "two"), ["a", "own"], ["b"]],
    ["removed", "", ["own"], []],
    ["disabled", `${server("a", "two")}enabled = false\n`, ["a", "own"], []],
  ])("that were %s later are not started", async (_, later, names, refused) => {
    await using machine = await createProject(server("a", "one"));
    await start(machine);
    await machine.write("work/.codex/config.toml", later);
    const { names: started, warnings } = await start(machine);

    expect(started).toEqual(names);
    expect(warnings).toEqual(
      refused.map((name) => expect.stringContaining(`MCP server ${name} is new or changed`)),
    );
  });

  test("are accepted when the user trusts the project again", async () => {
    await using machine = await createProject(server("a", "one"));
    await start(machine);
    await machine.write("work/.codex/config.toml", server("a", "two"));
    await setTrust(machine.home, machine.path("work"), "trusted");

    expect(await start(machine)).toEqual({ names: ["a", "own"], warnings: [] });
  });

  test("are checked even if the list of known ones is broken", async () => {
    await using machine = await createProject(server("a", "one"));
    await machine.write("home/quire/project-servers.json", "{broken");

    expect(await start(machine)).toEqual({ names: ["a", "own"], warnings: [] });
    expect(JSON.parse(await machine.read("home/quire/project-servers.json"))).toEqual({
      [machine.path("work")]: { a: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
  });
});

test("servers of the user are never restricted", async () => {
  await using machine = await createTestHome({ "home/config.toml": server("own", "one") });
  await start(machine);
  await machine.write("home/config.toml", server("own", "two") + server("more", "x"));

  expect(await start(machine)).toEqual({ names: ["more", "own"], warnings: [] });
});
