import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { eraOf } from "../../src/compat/index.js";
import type { McpElicitation, McpProgress } from "../../src/mcp/index.js";
import { programServer, startTestServers, stdioServer, testPool, textOf } from "../support/mcp.js";
import { untilGone } from "../support/processes.js";

test("servers start in parallel, and their tools are listed by name", async () => {
  const config = await stdioServer("good", { enabled_tools: ["echo", "fail"] });

  await using started = await startTestServers({ b: config, a: config });

  expect(await started.servers.started).toEqual({
    ready: expect.arrayContaining(["a", "b"]),
    failed: [],
    cancelled: [],
    missing: [],
  });
  expect(Object.keys(await started.servers.listTools())).toEqual([
    "mcp__a__echo",
    "mcp__a__fail",
    "mcp__b__echo",
    "mcp__b__fail",
  ]);
  expect(started.statuses.slice(0, 2)).toEqual([
    ["a", { state: "starting" }],
    ["b", { state: "starting" }],
  ]);
});

test("servers that are turned off are not started, and forbidden tools are not offered", async () => {
  const config = await stdioServer("good", { disabled_tools: ["die"] });

  await using started = await startTestServers({
    off: { ...config, enabled: false },
    on: { ...config, enabled_tools: ["echo", "die"] },
  });

  expect(started.servers.tools().map(({ name }) => name.qualified)).toEqual(["mcp__on__echo"]);
  expect(await started.servers.call({ server: "on", tool: "die" })).toBe(
    "tool call error: tool 'die' is disabled for MCP server 'on'",
  );
  expect(await started.servers.call({ server: "off", tool: "echo" })).toBe(
    "tool call error: unknown MCP server 'off'",
  );
});

test("a call returns the tool's result or an error", async () => {
  await using started = await startTestServers({ t: await stdioServer("good") });
  const { servers } = started;

  const echo = await servers.call({ server: "t", tool: "echo", arguments: { text: "hi" } });
  const fail = await servers.call({ server: "t", tool: "fail" });
  const boom = await servers.call({ server: "t", tool: "boom", arguments: {} });
  const list = await servers.call({ server: "t", tool: "echo", arguments: ["hi"] });

  expect(echo).toEqual({
    content: [{ type: "text", text: "echo: hi" }],
    structuredContent: { said: "hi" },
  });
  expect(fail).toEqual({ content: [{ type: "text", text: "it broke" }], isError: true });
  expect(boom).toBe(failure("boom", "tools/call failed: Mcp error: -32602: boom"));
  expect(list).toBe(failure("echo", 'MCP tool arguments must be a JSON object, got ["hi"]'));
});

test.for([
  ["0.45", "tool call error: tool call failed for `t/boom`"],
  ["0.104", failure("boom", "tools/call failed: Mcp error: -32602: boom")],
  ["0.166", failure("boom", "Mcp error: -32602: boom")],
])("the error of a call has the form of %s", async ([name, expected]) => {
  const era = eraOf(name);

  await using started = await startTestServers({ t: await stdioServer("good") }, { era });

  expect(await started.servers.call({ server: "t", tool: "boom", arguments: {} })).toBe(expected);
});

test("a call that times out fails, and its server gets a cancellation", async () => {
  const config = await stdioServer("good", { tool_timeout_ms: 200 });
  await using started = await startTestServers({ t: config });
  const { servers } = started;

  const late = await servers.call({ server: "t", tool: "hang" });

  expect(late).toBe(failure("hang", "timed out awaiting tools/call after 200ms"));
  expect(await servers.call({ server: "t", tool: "cancelled" })).toEqual(text("1"));
});

test("an aborted call rejects with the signal's reason, and its server gets a cancellation", async () => {
  await using started = await startTestServers({ t: await stdioServer("good") });
  const { servers } = started;
  const interrupt = new AbortController();

  const call = servers.call({ server: "t", tool: "hang" }, { signal: interrupt.signal });
  await servers.call({ server: "t", tool: "pid" });
  interrupt.abort("interrupted");

  await expect(call).rejects.toBe("interrupted");
  expect(await servers.call({ server: "t", tool: "cancelled" })).toEqual(text("1"));
});

test("aborting after the response sends nothing to the server", async () => {
  await using started = await startTestServers({ t: await stdioServer("good") });
  const { servers } = started;
  const interrupt = new AbortController();

  await servers.call({ server: "t", tool: "pid" }, { signal: interrupt.signal });
  const hanging = servers.call(
    { server: "t", tool: "hang" },
    { signal: new AbortController().signal },
  );
  hanging.catch(() => {});
  interrupt.abort();

  expect(await servers.call({ server: "t", tool: "cancelled" })).toEqual(text("0"));
});

test("a call reports progress", async () => {
  await using started = await startTestServers({ t: await stdioServer("good") });
  const seen: McpProgress[] = [];

  const result = await started.servers.call(
    { server: "t", tool: "progress" },
    { onProgress: (progress) => seen.push(progress) },
  );

  expect(result).toEqual(text("progressed"));
  expect(seen).toEqual([
    { progress: 1, total: 2, message: "half" },
    { progress: 2, total: 2, message: "done" },
  ]);
});

test("a server's question goes to the session that called it, and its time does not run", async () => {
  const asked: McpElicitation[] = [];
  const config = await stdioServer("good", { tool_timeout_ms: 1_000 });
  await using started = await startTestServers(
    { t: config },
    {
      async answerElicitation(question) {
        asked.push(question);
        await new Promise((resolve) => setTimeout(resolve, 1_200));
        return { action: "accept", content: { name: "Ada" } };
      },
    },
  );

  const result = await started.servers.call({ server: "t", tool: "ask" });

  expect(result).toEqual(text('{"action":"accept","content":{"name":"Ada"}}'));
  expect(asked).toEqual([
    {
      server: "t",
      id: expect.any(Number),
      message: "What is your name?",
      requestedSchema: { type: "object", properties: { name: { type: "string" } } },
    },
  ]);
});

test("an elicitation is declined if no handler is set", async () => {
  await using started = await startTestServers({ t: await stdioServer("good") });

  const result = await started.servers.call({ server: "t", tool: "ask" });

  expect(result).toEqual(text('{"action":"decline"}'));
});

test("a server may get other tools while it runs", async () => {
  let changed: () => void = () => {};
  const change = new Promise<void>((resolve) => {
    changed = resolve;
  });
  await using started = await startTestServers(
    { t: await stdioServer("good", { enabled_tools: ["grow", "grown"] }) },
    { onToolsChanged: () => changed() },
  );
  const { servers } = started;
  const before = servers.tools();

  await servers.call({ server: "t", tool: "grow" });
  await change;

  expect(before.map(({ tool }) => tool.name)).toEqual(["grow"]);
  expect(servers.tools().map(({ tool }) => tool.name)).toEqual(["grow", "grown"]);
});

test("resources are listed page by page or all at once, and read", async () => {
  const config = await stdioServer("good");
  await using started = await startTestServers({ a: config, b: config, gone: programServer("") });
  const { servers } = started;

  expect(await servers.listResources("resources", { server: "a" })).toEqual({
    entries: [{ uri: "memo:one", name: "one" }],
    nextCursor: "2",
  });
  expect(await servers.listAllResources("resources")).toEqual(
    new Map(["a", "b"].map((name) => [name, [memo("one"), memo("two")]])),
  );
  expect(await servers.listResources("resourceTemplates", { server: "b" })).toEqual({
    entries: [{ uriTemplate: "memo:{name}", name: "memo" }],
  });
  expect(await servers.readResource({ server: "a", uri: "memo:one" })).toEqual({
    contents: [{ uri: "memo:one", text: "the memo one" }],
  });
  await expect(servers.readResource({ server: "a", uri: "other:one" })).rejects.toThrow(
    "resources/read failed: Mcp error: -32602: no resource other:one",
  );
  await expect(servers.readResource({ server: "x", uri: "memo:one" })).rejects.toThrow(
    "unknown MCP server 'x'",
  );
});

test("describes each server, including one that did not start", async () => {
  const config = await stdioServer("good", { enabled_tools: ["pid"] });
  await using started = await startTestServers({ t: config, broken: programServer("") });

  expect(await started.servers.describe()).toEqual([
    {
      name: "broken",
      tools: {},
      resources: [],
      resourceTemplates: [],
      facts: undefined,
      failure: expect.stringMatching(/^MCP startup failed: /),
    },
    {
      name: "t",
      tools: {
        pid: {
          name: "pid",
          description: "Does pid",
          inputSchema: { type: "object", properties: { value: { type: "integer" } } },
        },
      },
      resources: [memo("one"), memo("two")],
      resourceTemplates: [{ uriTemplate: "memo:{name}", name: "memo" }],
      facts: expect.objectContaining({ capabilities: expect.anything(), info: expect.anything() }),
      failure: undefined,
    },
  ]);
});

test("the startup error has a prefix in eras that add one, and the summary only the reason", async () => {
  await using started = await startTestServers({ broken: programServer("") });

  const { failed } = await started.servers.started;

  const [{ error: why = "" } = {}] = failed;
  expect(started.statuses.at(-1)).toEqual([
    "broken",
    {
      state: "failed",
      error: `MCP client for \`broken\` failed to start: MCP startup failed: ${why}`,
    },
  ]);
});

test("a server sees the usual variables, those it asks for and those configured, and no others", async () => {
  const env = { ...process.env, SECRET: "s", WANTED: "w", HOME: "/home/someone" };
  const program = {
    env_vars: ["WANTED", "ABSENT"],
    env: { SET: "1", HOME: "/elsewhere" },
    cwd: tmpdir(),
  };
  const config = await stdioServer("good", {}, program);
  const pool = testPool({ env });
  await using started = await startTestServers({ t: config }, { pool });

  const [result, cwd] = await Promise.all([
    started.servers.call({ server: "t", tool: "environment" }),
    started.servers.call({ server: "t", tool: "cwd" }),
  ]);

  const seen = JSON.parse(textOf(result));
  const allowed = "HOME LOGNAME PATH SHELL USER LANG LC_ALL TERM TMPDIR TZ SET WANTED".split(" ");
  expect(Object.keys(seen).filter((name) => !allowed.includes(name))).toEqual([]);
  expect(seen).toMatchObject({ PATH: process.env.PATH, WANTED: "w", SET: "1", HOME: "/elsewhere" });
  expect(cwd).toEqual(text(tmpdir()));
});

function failure(tool: string, cause: string): string {
  return `tool call error: tool call failed for \`t/${tool}\`\n\nCaused by:\n    ${cause}`;
}

function text(value: string) {
  return { content: [{ type: "text", text: value }] };
}

function memo(name: string) {
  return { uri: `memo:${name}`, name };
}

test("of other servers the new ones start, the gone ones end, and the same ones stay", async () => {
  const config = await stdioServer("good");
  const [a, b] = [programServer("no-such-program-xyz"), { ...config, enabled_tools: ["pid"] }];
  await using started = await startTestServers({ a, b, c: config, d: config });
  const { servers, statuses } = started;
  const pid = async (server: string) => textOf(await servers.call({ server, tool: "pid" }));
  const before = [await pid("b"), await pid("c"), await pid("d")];
  statuses.length = 0;

  servers.update(new Map(Object.entries({ a, b: config, c: config, e: config })));
  const outcome = await servers.started;

  expect(outcome).toMatchObject({
    ready: expect.arrayContaining(["b", "c", "e"]),
    failed: [{ server: "a" }],
  });
  expect([await pid("b"), await pid("c")]).toEqual(before.slice(0, 2));
  expect(await servers.call({ server: "d", tool: "pid" })).toBe(
    "tool call error: unknown MCP server 'd'",
  );
  expect(servers.tools().some(({ name }) => name.qualified === "mcp__b__echo")).toBe(true);
  expect(statuses.filter(([, status]) => isStarting(status)).map(([name]) => name)).toEqual([
    "a",
    "b",
    "e",
  ]);
  await untilGone([Number(before[2])]);
});

function isStarting(status: unknown): boolean {
  return (status as { state: string }).state === "starting";
}
