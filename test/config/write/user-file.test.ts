import { expect, test } from "vitest";
import {
  editSettings,
  removeMcpServer,
  saveMcpServer,
  saveModel,
  setSkill,
} from "../../../src/config/index.js";
import { createTestHome } from "../support/home.js";

test("a server is written in a fixed order, and read back the same", async () => {
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

test("a server is replaced or removed, and the rest of the file stays", async () => {
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

test.each([
  ["", undefined, 'model = "m"\nmodel_reasoning_effort = "high"\n'],
  [
    'profile = "p"\n',
    undefined,
    'profile = "p"\n\n[profiles.p]\nmodel = "m"\nmodel_reasoning_effort = "high"\n',
  ],
  ["", "q", '[profiles.q]\nmodel = "m"\nmodel_reasoning_effort = "high"\n'],
])(
  "the model is saved where it takes effect: %j with profile %s",
  async (text, profile, result) => {
    await using machine = await createTestHome({ "home/config.toml": text });
    await saveModel({ home: machine.home, profile }, { model: "m", effort: "high" });

    expect(await machine.read("home/config.toml")).toBe(result);
  },
);

test("a model that is undefined is removed", async () => {
  await using machine = await createTestHome({ "home/config.toml": '# c\nmodel = "m"\n' });
  await saveModel({ home: machine.home }, { model: undefined, effort: undefined });

  expect(await machine.read("home/config.toml")).toBe("# c\n");
});

test("an edit below profiles is not moved into the selected profile", async () => {
  await using machine = await createTestHome({ "home/config.toml": 'profile = "p"\n' });
  await editSettings({ home: machine.home }, [{ path: ["profiles", "q", "model"], value: "m" }]);

  expect(await machine.read("home/config.toml")).toBe(
    'profile = "p"\n\n[profiles.q]\nmodel = "m"\n',
  );
});

test("a skill that is disabled has one entry, and none when it is enabled again", async () => {
  await using machine = await createTestHome();
  const read = async () => (await machine.load()).skills_by_name;
  await setSkill(machine.home, { name: "n" }, false);
  await setSkill(machine.home, { name: "n" }, false);
  await setSkill(machine.home, { path: "/s/SKILL.md" }, false);
  const disabled = await machine.load();
  await setSkill(machine.home, { name: "n" }, true);

  expect([...disabled.skills_by_name]).toEqual([["n", false]]);
  expect([...disabled.skills]).toEqual([["/s/SKILL.md", false]]);
  expect([...(await read())]).toEqual([]);
});
