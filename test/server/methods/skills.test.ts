import { readFileSync, writeFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SkillsListResponse } from "../../../src/protocol/rpc/v2/skills.js";
import { initialize, startAppServer } from "../../support/app-server.js";
import { says } from "../../support/model.js";
import type { TestClient } from "../../support/server.js";
import { begin, say, startThread } from "./thread.js";

async function writeSkill(folder: string, name: string): Promise<string> {
  const path = join(folder, name, "SKILL.md");
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(path, `---\nname: ${name}\ndescription: Does ${name}\n---\nDo it.\n`);
  return path;
}

/** Sets the trust level of the workspace in the settings. */
async function trust({ home, workspace }: { home: string; workspace: string }, level: string) {
  const file = join(home, "config.toml");
  await writeFile(file, `[projects.${JSON.stringify(workspace)}]\ntrust_level = "${level}"\n`);
}

async function list(client: TestClient, params: object = {}) {
  const { data } = (await client.call("skills/list", params)) as SkillsListResponse;
  return data;
}

test("skills are listed by folder, with errors of invalid ones", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client);
  const mine = await writeSkill(join(server.home, "skills"), "mine");
  const ours = await writeSkill(join(server.workspace, ".codex", "skills"), "ours");
  const bad = join(server.workspace, ".codex", "skills", "bad");
  await mkdir(bad);
  await writeFile(join(bad, "SKILL.md"), "no front matter\n");
  const [unknown] = await list(client, { cwds: [server.workspace] });
  await trust(server, "untrusted");
  const [untrusted] = await list(client, { cwds: [server.workspace], forceReload: true });
  await trust(server, "trusted");
  await list(client, { forceReload: true });

  const [here, nowhere] = await list(client, { cwds: [server.workspace, "relative"] });

  expect(here).toEqual({
    cwd: server.workspace,
    skills: [
      {
        name: "ours",
        description: "Does ours",
        path: ours,
        scope: "repo",
        enabled: true,
        pluginId: null,
      },
      {
        name: "mine",
        description: "Does mine",
        path: mine,
        scope: "user",
        enabled: true,
        pluginId: null,
      },
    ],
    errors: [{ path: join(bad, "SKILL.md"), message: "missing YAML frontmatter delimited by ---" }],
  });
  expect(nowhere).toMatchObject({ skills: [], errors: [{ path: "relative" }] });
  // [security H6] an untrusted folder adds no skills
  expect(unknown).toMatchObject({ skills: [{ name: "mine" }] });
  expect(unknown?.errors).toEqual([
    {
      path: join(server.workspace, ".codex", "skills"),
      message: expect.stringContaining("is not a trusted project; set its trust_level in"),
    },
  ]);
  expect(untrusted).toMatchObject({ skills: [{ name: "mine" }], errors: [] });
});

test("skills are read again only with `forceReload`", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client);
  const names = async (params?: object) =>
    (await list(client, params))[0]?.skills.map(({ name }) => name);

  expect(await names()).toEqual([]);
  await writeSkill(join(server.home, "skills"), "mine");

  expect(await names()).toEqual([]);
  expect(await names({ forceReload: true })).toEqual(["mine"]);
});

test("a skill is disabled and enabled by path or name", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client);
  await writeFile(join(server.home, "config.toml"), "# mine\n");
  const one = await writeSkill(join(server.home, "skills"), "one");
  await writeSkill(join(server.home, "skills"), "two");
  const enabled = async () => (await list(client))[0]?.skills.map((skill) => skill.enabled);
  const write = (params: object) => client.call("skills/config/write", params);

  expect(await write({ path: one, enabled: false })).toEqual({ effectiveEnabled: false });
  expect(await write({ name: "two", enabled: false })).toEqual({ effectiveEnabled: false });
  expect(await enabled()).toEqual([false, false]);
  await write({ path: one, enabled: true });
  expect(await enabled()).toEqual([true, false]);
  await write({ name: "two", enabled: true });

  expect(await enabled()).toEqual([true, true]);
  expect(readFileSync(join(server.home, "config.toml"), "utf8")).toContain("# mine\n");
});

test("entries of another program are read and preserved", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client);
  const one = await writeSkill(join(server.home, "skills"), "one");
  await writeSkill(join(server.home, "skills"), "two");
  const entry = '[[skills.config]]\nname = "two"\nenabled = false\n';
  await writeFile(join(server.home, "config.toml"), entry);

  await client.call("skills/config/write", { path: one, enabled: false });

  const [here] = await list(client);
  expect(here?.skills.map((skill) => skill.enabled)).toEqual([false, false]);
});

test.each([
  [{ enabled: false }, -32602, "skills/config/write requires exactly one of path or name"],
  [
    { enabled: false, path: "/a", name: "b" },
    -32602,
    "skills/config/write requires exactly one of path or name",
  ],
  [{ enabled: false, path: "a" }, -32600, "path must be absolute, but is a"],
])("%j is rejected", async (params, code, message) => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client);

  await expect(client.call("skills/config/write", params)).rejects.toMatchObject({ code, message });
});

test("clients are notified of changed skills of a loaded thread", async () => {
  await using server = await startAppServer({ model: [says("Done.")] });
  const [client, other] = [server.connect(), server.connect()];
  await initialize(other, { optOutNotificationMethods: ["skills/changed"] });
  const threadId = await begin(client);
  await list(client);
  const file = await writeSkill(join(server.home, "skills"), "fresh");
  const text = readFileSync(file, "utf8");

  // The start of a watch is not reported. The file is written in one step, so that it is never
  // incomplete.
  const again = setInterval(() => writeFileSync(file, text), 50);
  const { params } = await client.until("skills/changed");
  clearInterval(again);
  const [here] = await list(client);
  await say(client, threadId, "Use $fresh.");
  await client.until("turn/completed");

  expect(params).toEqual({});
  expect(here?.skills.map(({ name }) => name)).toEqual(["fresh"]);
  expect(other.heard.map(({ method }) => method)).not.toContain("skills/changed");
  const rollout = server.server.threads.get(threadId).configured.rollout_path;
  expect(readFileSync(rollout, "utf8")).toContain("<name>fresh</name>");
});

test("folders that a client adds have skills for all threads, until they are replaced", async () => {
  await using server = await startAppServer({ model: [says("Done.")] });
  const client = server.connect();
  await initialize(client);
  const extra = join(server.workspace, "..", "extra");
  const path = await writeSkill(extra, "more");
  const set = (...extraRoots: string[]) => client.call("skills/extraRoots/set", { extraRoots });
  expect(await list(client)).toMatchObject([{ skills: [] }]);

  expect(await set(extra, "/not/there")).toEqual({});
  expect(client.heard.map(({ method }) => method)).toContain("skills/changed");
  expect(await list(client)).toMatchObject([{ skills: [{ name: "more", path, scope: "user" }] }]);
  await say(client, await startThread(client), "use $more");
  await client.until("turn/completed");
  expect(JSON.stringify(server.prompts[0]?.input)).toContain("Do it.");

  await expect(set("relative")).rejects.toThrow('(got "relative")');
  await set();
  expect(await list(client)).toMatchObject([{ skills: [] }]);
});
