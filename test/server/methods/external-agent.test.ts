import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { initialize, startAppServer } from "./thread.js";

type Item = {
  itemType: string;
  cwd: string | null;
  writes: { path: string; text: string; isNew: boolean }[];
  skipped: string[];
};

async function makeFiles(root: string, files: Record<string, string | object>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  }
}

async function startPlace(files: Record<string, string | object>) {
  const root = await mkdtemp(join(tmpdir(), "quire-import-"));
  await makeFiles(root, files);
  const server = await startAppServer({ env: { HOME: root } });
  const client = server.connect();
  await initialize(client);
  const cwd = join(root, "project");
  const detect = async () => {
    const params = { includeHome: true, cwds: [cwd] };
    const { items } = (await client.call("externalAgentConfig/detect", params)) as {
      items: Item[];
    };
    return items;
  };
  return {
    root,
    cwd,
    home: server.home,
    client,
    detect,
    writes: async () => (await detect()).flatMap(({ writes }) => writes.map(({ path }) => path)),
    skipped: async () => (await detect()).flatMap(({ skipped }) => skipped),
    importAll: async () =>
      client.call("externalAgentConfig/import", { migrationItems: await detect() }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** A variable as Claude Code expands it. */
const variable = (name: string) => ["$", "{", name, "}"].join("");

const settings = {
  ".claude/CLAUDE.md": "Be brief.\n",
  ".claude/commands/git/tidy.md": "---\ndescription: Tidy up\n---\nTidy $ARGUMENTS.\n",
  ".claude/agents/reader.md":
    "---\nname: reader\ndescription: Reads code\ntools: Read, Grep\nmodel: sonnet\n---\nQuote lines.\n",
  ".claude/skills/release/SKILL.md": "---\nname: release\ndescription: Releases\n---\nDo it.\n",
  ".claude/settings.json": {
    env: { LEVEL: "3", ANTHROPIC_MODEL: "x" },
    permissions: { allow: ["Bash(npm run test:*)", "WebFetch"], deny: ["Bash(rm -rf:*)"] },
    hooks: {
      PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "true", timeout: 5 }] }],
      Notification: [{ hooks: [{ type: "command", command: "true" }] }],
    },
  },
  ".claude.json": {
    mcpServers: {
      files: { command: "files", args: ["-v"], env: { TOKEN: variable("TOKEN"), KEY: "secret" } },
      web: {
        type: "http",
        url: "https://example.com/mcp",
        headers: { Authorization: `Bearer ${variable("T")}` },
      },
      old: { type: "sse", url: "https://example.com/sse" },
    },
  },
  "project/CLAUDE.md": "Use tabs.\n@docs/more.md\n",
  "project/.claude/commands/fix.md": "Fix the bug.\n",
  "project/.mcp.json": { mcpServers: { db: { command: "db" } } },
};

test("detects the settings of Claude Code, and writes nothing", async () => {
  await using place = await startPlace(settings);

  expect(await place.writes()).toEqual([
    join(place.home, "AGENTS.md"),
    join(place.home, "rules", "claude-code.rules"),
    join(place.home, "config.toml"),
    join(place.home, "prompts", "tidy.md"),
    join(place.home, "agents", "reader.toml"),
    join(place.home, "skills", "release"),
    join(place.home, "config.toml"),
    join(place.home, "config.toml"),
    join(place.home, "hooks.json"),
    join(place.cwd, "AGENTS.md"),
    join(place.cwd, ".agents", "skills", "fix", "SKILL.md"),
    join(place.home, "config.toml"),
  ]);
  expect(await place.skipped()).toEqual([
    "allow WebFetch: rules are for the first words of a command",
    "env ANTHROPIC_MODEL: it is for Claude Code",
    "reader: its model sonnet is not set, it gets that of the session",
    "old: its transport sse is not supported; servers of it mostly have streamable HTTP too",
    "Notification: there is no such event",
    "CLAUDE.md: 1 line that includes another file stay as text",
  ]);
  expect(JSON.stringify(await place.detect())).not.toContain("secret");
  expect(existsSync(join(place.home, "AGENTS.md"))).toBe(false);
});

test("imports the selected items, once", async () => {
  await using place = await startPlace(settings);

  const answer = await place.importAll();

  const read = (...names: string[]) => readFile(join(place.home, ...names), "utf8");
  expect(await read("AGENTS.md")).toBe("Be brief.\n");
  expect(await read("rules", "claude-code.rules")).toBe(
    'prefix_rule(pattern = ["rm","-rf"], decision = "forbidden")\n' +
      'prefix_rule(pattern = ["npm","run","test"], decision = "allow")\n',
  );
  expect(await read("agents", "reader.toml")).toBe(
    "description = \"Reads code\"\ndeveloper_instructions = '''\nQuote lines.\n'''\nsandbox_mode = \"read-only\"\n",
  );
  expect(await read("skills", "release", "SKILL.md")).toContain("Do it.");
  const config = await read("config.toml");
  for (const line of [
    'command = "files"',
    'args = ["-v"]',
    'env_vars = ["TOKEN"]',
    'KEY = "secret"',
    'bearer_token_env_var = "T"',
    'LEVEL = "3"',
    'command = "db"',
  ]) {
    expect(config).toContain(line);
  }
  expect(answer).toMatchObject({ importId: expect.any(String) });
  expect(JSON.stringify(answer)).toContain('"failures":[]');
  expect(await place.client.call("externalAgentConfig/import/readHistories", {})).toMatchObject({
    data: [{ providerId: null, failures: [] }],
  });
  // Everything exists now.
  expect(await place.writes()).toEqual([]);
});

test("what is imported works: roles, rules and hooks are valid", async () => {
  await using place = await startPlace(settings);
  await place.importAll();

  const started = await place.client.call("thread/start", { cwd: place.cwd });
  const hooks = await place.client.call("hooks/list", { cwds: [place.cwd] });

  expect(started).toMatchObject({
    instructionSources: [join(place.home, "AGENTS.md"), join(place.cwd, "AGENTS.md")],
  });
  expect(JSON.stringify(hooks)).toContain('"trustStatus":"untrusted"');
});

test("imports only what is asked for", async () => {
  await using place = await startPlace(settings);
  const items = await place.detect();

  await place.client.call("externalAgentConfig/import", {
    migrationItems: items.filter(({ itemType, cwd }) => itemType === "AGENTS_MD" && cwd !== null),
  });

  expect(existsSync(join(place.cwd, "AGENTS.md"))).toBe(true);
  expect(existsSync(join(place.home, "AGENTS.md"))).toBe(false);
});

test("links that lead out of a project are neither read nor written through", async () => {
  await using place = await startPlace({
    "secret.txt": "password",
    "project/x": "",
    "project/.claude/commands/fix.md": "Fix.",
    "elsewhere/x": "",
  });
  await symlink("../secret.txt", join(place.cwd, "CLAUDE.md"));
  await symlink("../elsewhere", join(place.cwd, ".agents"));

  expect(await place.writes()).toEqual([]);
  expect(await place.skipped()).toEqual([expect.stringContaining("leads out of the project")]);
});

test.each([["cursor"], ["nonsense"]])("has nothing of the agent %s", async (source) => {
  await using place = await startPlace(settings);

  expect(
    await place.client.call("externalAgentConfig/detect", { includeHome: true, source }),
  ).toEqual({ items: [], connectors: [] });
});

test("broken and strange files are passed over", async () => {
  await using place = await startPlace({
    ".claude.json": "{ not json",
    ".claude/settings.json": '["list"]',
    ".claude/agents/empty.md": "---\nname: e\n---\n",
    "project/.mcp.json": { mcpServers: { "a b": { command: "x" }, none: 7, odd: {} } },
  });

  expect(await place.writes()).toEqual([]);
  expect(await place.skipped()).toHaveLength(4);
});
