import { expect, test } from "vitest";
import { eraOf } from "../../src/compat/index.js";
import { startMcpServers } from "../../src/mcp/index.js";
import {
  httpServer,
  programServer,
  startTestServers,
  stdioServer,
  testPool,
  textOf,
} from "../support/mcp.js";
import { untilGone } from "../support/processes.js";

test("a server that cannot be started is reported with the reason, and others work", async () => {
  await using started = await startTestServers({
    missing: programServer("no-such-program-xyz"),
    folder: programServer("/"),
    nowhere: await stdioServer("good", {}, { cwd: "/no/such/folder" }),
    "bad name": programServer("true"),
    url: httpServer("not a url"),
    good: await stdioServer("good", { enabled_tools: ["pid"] }),
  });

  const { ready } = await started.servers.started;

  expect(ready).toEqual(["good"]);
  expect(started.errors).toEqual({
    missing: failedToStart("missing", "No such file or directory (os error 2)"),
    folder: failedToStart("folder", "Permission denied (os error 13)"),
    nowhere: failedToStart("nowhere", "the working directory /no/such/folder does not exist"),
    "bad name": failedToStart(
      "bad name",
      "invalid server name 'bad name': must match pattern ^[a-zA-Z0-9_-]+$",
    ),
    url: failedToStart("url", "invalid `url`: not a url"),
  });
  expect(started.servers.tools().map(({ tool }) => tool.name)).toEqual(["pid"]);
});

test("a server that exits at once is reported with its stderr", async () => {
  await using started = await startTestServers({ t: await stdioServer("exits") });

  expect(started.statuses).toEqual([
    ["t", { state: "starting" }],
    [
      "t",
      {
        state: "failed",
        error: failedToStart("t", "the server exited with code 3; stderr: no licence found"),
      },
    ],
  ]);
});

test("a server that never answers costs its time-out and is killed, though it ignores signals", async () => {
  const config = await stdioServer("silent", { startup_timeout_ms: 1_000 });
  const began = performance.now();

  await using started = await startTestServers({ t: { ...config, required: true } });

  expect(performance.now() - began).toBeLessThan(5_000);
  const { ready, missing } = await started.servers.started;
  expect({ ready, missing }).toEqual({ ready: [], missing: ["t"] });
  expect(started.errors.t).toBe(
    "MCP client for `t` timed out after 1 seconds. Add or adjust `startup_timeout_sec` in " +
      "your config.toml:\n[mcp_servers.t]\nstartup_timeout_sec = XX",
  );
});

test("a server that is ready but lists no tools is given up at the same time-out", async () => {
  const config = await stdioServer("slow", { startup_timeout_ms: 500 });

  await using started = await startTestServers({ t: config });

  expect(started.errors.t).toMatch(/^MCP client for `t` timed out/);
});

test("a server that knows nothing of tools has none", async () => {
  await using started = await startTestServers({ t: await stdioServer("toolless") });

  expect(await started.servers.started).toMatchObject({ ready: ["t"] });
  expect(started.servers.tools()).toEqual([]);
});

test("lines that are not messages are skipped", async () => {
  await using started = await startTestServers({ t: await stdioServer("noisy") });

  expect(await started.servers.call({ server: "t", tool: "fine" })).toEqual({
    content: [{ type: "text", text: "still fine" }],
  });
});

test("invalid tools and results of a server affect only themselves", async () => {
  await using started = await startTestServers({
    t: await stdioServer("lies"),
    good: await stdioServer("good", { enabled_tools: ["pid"] }),
  });
  const { servers } = started;

  expect(servers.tools().map(({ name, tool }) => [name.qualified, tool.name])).toEqual([
    ["mcp__good__pid", "pid"],
    ["mcp__t__good", "good"],
    ["mcp__t__na_me__31m", "na\u0000me\u001b[31m"],
    [expect.stringMatching(/^mcp__t__x{16}[0-9a-f]{40}$/), "x".repeat(300)],
  ]);
  expect(await servers.call({ server: "t", tool: "good" })).toContain(
    "invalid tool result: `content` must be a list of blocks with a `type`",
  );
  expect(await servers.call({ server: "t", tool: "list" })).toContain(
    "invalid tool result: `content` is missing",
  );
  expect(await servers.call({ server: "t", tool: "other" })).toContain("must be a list of blocks");
});

test("a list of tools that never ends is cut", async () => {
  await using started = await startTestServers({ t: await stdioServer("pages") });

  expect(started.servers.tools()).toHaveLength(1_000);
});

test("a server that dies during a call fails that call, and is restarted for the next", async () => {
  await using started = await startTestServers({ t: await stdioServer("good") });
  const { servers } = started;
  const before = await servers.call({ server: "t", tool: "pid" });

  const died = await servers.call({ server: "t", tool: "die" });
  const after = await servers.call({ server: "t", tool: "pid" });

  expect(died).toBe(
    "tool call error: tool call failed for `t/die`\n\nCaused by:\n" +
      "    tools/call failed: the server exited with code 7; stderr: out of luck",
  );
  expect(after).toEqual({ content: [{ type: "text", text: expect.stringMatching(/^\d+$/) }] });
  expect(after).not.toEqual(before);
});

test.each([
  ["floods", "the server sent too much unrequested data"],
  ["pings", "the server sent too much unrequested data"],
  ["endless", "the server sent a message larger than 64 MiB"],
])("a server of the kind that %s is cut off", async (mode, reason) => {
  await using started = await startTestServers({ t: await stdioServer(mode) });

  const result = await started.servers.call({ server: "t", tool: "any" });

  expect(result).toBe(
    `tool call error: tool call failed for \`t/any\`\n\nCaused by:\n    tools/call failed: ${reason}`,
  );
});

test("an answer of 30 MB arrives whole", async () => {
  await using started = await startTestServers({ t: await stdioServer("good") });

  const result = await started.servers.call({
    server: "t",
    tool: "big",
    arguments: { bytes: 30_000_000 },
  });

  expect(textOf(result)).toHaveLength(30_000_000);
});

test("stopping a server also stops its children, even outside its process group", async () => {
  const started = await startTestServers({ t: await stdioServer("good") });
  const pids = await Promise.all([pidsOf(started, "pid"), pidsOf(started, "spawn")]);

  await started[Symbol.asyncDispose]();

  expect(pids.flat()).toHaveLength(3);
  await untilGone(pids.flat());
});

test("servers that are still starting when the session ends are cancelled and killed", async () => {
  const config = await stdioServer("silent", { startup_timeout_ms: 60_000 });
  const servers = startMcpServers({
    pool: testPool(),
    configs: new Map([["t", config]]),
    era: eraOf(),
  });

  await servers.close();

  expect(await servers.started).toEqual({ ready: [], failed: [], cancelled: ["t"], missing: [] });
});

async function pidsOf(
  { servers }: Awaited<ReturnType<typeof startTestServers>>,
  tool: string,
): Promise<number[]> {
  return [JSON.parse(textOf(await servers.call({ server: "t", tool })))].flat();
}

function failedToStart(server: string, reason: string): string {
  return `MCP client for \`${server}\` failed to start: MCP startup failed: ${reason}`;
}
