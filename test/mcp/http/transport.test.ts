import { expect, test } from "vitest";
import { httpServer, startTestServers, testPool, textOf } from "../../support/mcp.js";
import { endWith, startHttpMcpServer } from "../../support/mcp-http.js";

test("a server over HTTP is used like any other", async () => {
  await using server = await startHttpMcpServer();
  await using started = await startTestServers({ t: httpServer(server.url) });
  const { servers } = started;
  const seen: unknown[] = [];

  const echo = await servers.call({ server: "t", tool: "echo", arguments: { text: "hi" } });
  const progress = await servers.call(
    { server: "t", tool: "progress" },
    { onProgress: (value) => seen.push(value.progress) },
  );

  expect(echo).toMatchObject({ structuredContent: { said: "hi" } });
  expect(textOf(progress)).toBe("progressed");
  expect(seen).toEqual([1, 2]);
  expect(await servers.readResource({ server: "t", uri: "memo:a" })).toEqual({
    contents: [{ uri: "memo:a", text: "the memo a" }],
  });
});

test("a server's question over HTTP reaches the user", async () => {
  await using server = await startHttpMcpServer();
  await using started = await startTestServers(
    { t: httpServer(server.url) },
    { answerElicitation: async () => ({ action: "cancel" }) },
  );

  const result = await started.servers.call({ server: "t", tool: "ask" });

  expect(textOf(result)).toBe('{"action":"cancel"}');
});

test("each request has the configured headers, those from the environment and the token", async () => {
  await using server = await startHttpMcpServer();
  const config = httpServer(server.url, {
    http_headers: { "X-Team": "blue" },
    env_http_headers: { "X-Key": "KEY", "X-Absent": "ABSENT", "X-Blank": "BLANK" },
    bearer_token_env_var: "TOKEN",
  });
  const pool = testPool({ env: { KEY: "k1", BLANK: " ", TOKEN: "secret" } });
  await using started = await startTestServers({ t: config }, { pool });

  await started.servers.call({ server: "t", tool: "pid" });
  await started.servers.close();

  const methods = new Set(server.requests.map(({ method }) => method));
  expect(methods).toEqual(new Set(["POST", "GET", "DELETE"]));
  for (const { headers } of server.requests) {
    expect(headers).toMatchObject({
      "x-team": "blue",
      "x-key": "k1",
      authorization: "Bearer secret",
    });
    expect(headers).not.toHaveProperty("x-absent");
    expect(headers).not.toHaveProperty("x-blank");
  }
});

test("reports a missing or rejected bearer token", async () => {
  await using server = await startHttpMcpServer((_request, response) => {
    endWith(response, 401, "who are you?");
    return true;
  });
  const pool = testPool({ env: { TOKEN: "wrong" } });

  await using started = await startTestServers(
    {
      absent: httpServer(server.url, { bearer_token_env_var: "ABSENT" }),
      refused: httpServer(server.url, { bearer_token_env_var: "TOKEN" }),
      none: httpServer(server.url),
    },
    { pool },
  );

  expect(started.errors).toEqual({
    absent:
      "MCP client for `absent` failed to start: MCP startup failed: " +
      "Environment variable ABSENT for the bearer token is not set",
    refused:
      "MCP client for `refused` failed to start: MCP startup failed: the server rejected the bearer token (HTTP 401)",
    none: "The none MCP server is not logged in. Run `codex mcp login none`.",
  });
});

test("a server that is unreachable or returns an error is reported", async () => {
  await using broken = await startHttpMcpServer((_request, response) => {
    endWith(response, 500, "out of order");
    return true;
  });
  await using gone = await startHttpMcpServer();
  const { port } = new URL(gone.origin);
  await gone[Symbol.asyncDispose]();

  await using started = await startTestServers({
    broken: httpServer(broken.url),
    gone: httpServer(gone.url),
    file: httpServer("file:///etc/passwd"),
  });

  expect(started.errors).toEqual({
    broken:
      "MCP client for `broken` failed to start: MCP startup failed: the server answered with HTTP 500: out of order",
    gone: `MCP client for \`gone\` failed to start: MCP startup failed: connect ECONNREFUSED 127.0.0.1:${port}`,
    file: "MCP client for `file` failed to start: MCP startup failed: `url` must use http or https (got file://)",
  });
});

test("a server that has forgotten the session is greeted again", async () => {
  await using server = await startHttpMcpServer();
  await using started = await startTestServers({ t: httpServer(server.url) });

  server.forget();
  const result = await started.servers.call({ server: "t", tool: "pid" });

  expect(textOf(result)).toMatch(/^\d+$/);
});

test("a connection that breaks during a call fails the call", async () => {
  let isArmed = false;
  await using server = await startHttpMcpServer((request, response) => {
    if (!isArmed || request.method !== "POST") return false;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(": working on it\n\n");
    setTimeout(() => response.destroy(), 50);
    return true;
  });
  await using started = await startTestServers({ t: httpServer(server.url) });

  isArmed = true;
  const result = await started.servers.call({ server: "t", tool: "pid" });
  isArmed = false;

  expect(result).toContain("the connection was lost before the response arrived");
  expect(textOf(await started.servers.call({ server: "t", tool: "pid" }))).toMatch(/^\d+$/);
});

test("a call over HTTP ends at its time-out and can be given up", async () => {
  await using server = await startHttpMcpServer();
  await using started = await startTestServers({
    t: { ...httpServer(server.url), tool_timeout_ms: 300 },
  });

  const late = await started.servers.call({ server: "t", tool: "hang" });
  const signal = AbortSignal.timeout(100);
  const givenUp = started.servers.call({ server: "t", tool: "hang" }, { signal });

  expect(late).toContain("timed out awaiting tools/call after 300ms");
  await expect(givenUp).rejects.toThrow(/timeout/);
});

test.each([
  [
    "application/json",
    Buffer.alloc(1024 * 1024, "x"),
    "the server sent a message larger than 64 MiB",
  ],
  [
    "text/event-stream",
    Buffer.alloc(1024 * 1024, "x"),
    "the server sent a message larger than 64 MiB",
  ],
  [
    "text/event-stream",
    Buffer.from(`data: ${"y".repeat(100_000)}\n\n`.repeat(10)),
    "the server sent too much unrequested data",
  ],
])("a body of %s that never ends cuts the server off", async (type, piece, reason) => {
  let isArmed = false;
  await using server = await startHttpMcpServer((request, response) => {
    if (!isArmed || request.method !== "POST") return false;
    response.writeHead(200, { "content-type": type });
    const write = () => {
      while (!response.destroyed && response.write(piece));
      response.once("drain", write);
    };
    write();
    return true;
  });
  await using started = await startTestServers({ t: httpServer(server.url) });

  isArmed = true;
  const result = await started.servers.call({ server: "t", tool: "pid" });
  isArmed = false;

  expect(result).toContain(reason);
  expect(textOf(await started.servers.call({ server: "t", tool: "pid" }))).toMatch(/^\d+$/);
});

test("a redirect to another place is not followed with our secrets", async () => {
  const thief: unknown[] = [];
  await using other = await startHttpMcpServer((request, response) => {
    thief.push(request.headers);
    endWith(response, 200, "thanks");
    return true;
  });
  await using server = await startHttpMcpServer((_request, response) => {
    endWith(response, 307, "", { location: other.url });
    return true;
  });
  const pool = testPool({ env: { TOKEN: "secret" } });

  await using started = await startTestServers(
    { t: httpServer(server.url, { bearer_token_env_var: "TOKEN" }) },
    { pool },
  );

  expect((await started.servers.started).failed[0]?.error).toContain("HTTP 307");
  expect(thief).toEqual([]);
});
