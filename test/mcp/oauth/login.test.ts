import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  fileTokenStore,
  loginMcpServer,
  logoutMcpServer,
  type McpLoginOptions,
  mcpAuthStatus,
  startMcpLogin,
  type TokenStore,
} from "../../../src/mcp/index.js";
import {
  httpServer,
  programServer,
  startTestServers,
  testPool,
  textOf,
} from "../../support/mcp.js";
import { type ProtectedServer, startProtectedServer } from "../../support/mcp-issuer.js";

test("a user logs in once, and then the server is used with that login", async () => {
  await using there = await startProtectedServer();
  const { folder, options } = await loginOptions(there);

  await loginMcpServer({ ...options, showUrl: async (url) => void (await there.visit(url)) });
  await using started = await startTestServers(
    { t: options.config },
    { pool: testPool({ tokens: options.store }) },
  );

  expect(textOf(await started.servers.call({ server: "t", tool: "pid" }))).toMatch(/^\d+$/);
  expect(there.asked.map(({ path }) => path)).toEqual(["/register", "/authorize", "/token"]);
  expect(there.asked[1]?.fields).toMatchObject({
    response_type: "code",
    client_id: "client-1",
    code_challenge_method: "S256",
    scope: "tools",
    resource: there.server.url,
    redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
  });
  const [file = ""] = await readdir(folder);
  expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(JSON.parse(await readFile(join(folder, file), "utf8"))).toEqual({
    server: "t",
    url: there.server.url,
    issuer: there.origin,
    client_id: "client-1",
    token_endpoint_auth_method: "none",
    resource: there.server.url,
    scope: "tools",
    access_token: [...there.valid][0],
    refresh_token: expect.any(String),
  });
});

test("returns the status of a login, and logs out", async () => {
  await using there = await startProtectedServer();
  const { options } = await loginOptions(there);
  const { config, store } = options;
  const status = () => mcpAuthStatus({ server: "t", config, store });

  const before = await status();
  await loginMcpServer({ ...options, showUrl: async (url) => void (await there.visit(url)) });
  const after = await status();
  const forgotten = await logoutMcpServer({ server: "t", config, store });

  expect([before, after, forgotten]).toEqual(["notLoggedIn", "oAuth", true]);
  expect(await status()).toBe("notLoggedIn");
  expect(await logoutMcpServer({ server: "t", config, store })).toBe(false);
  expect(await mcpAuthStatus({ server: "p", config: programServer("x"), store })).toBe(
    "unsupported",
  );
  expect(
    await mcpAuthStatus({
      server: "b",
      config: httpServer(there.server.url, { bearer_token_env_var: "T" }),
      store,
    }),
  ).toBe("bearerToken");
});

test("a token that is about to expire, or rejected, is refreshed once for all sessions", async () => {
  await using there = await startProtectedServer();
  there.behaviour.expiresIn = 10;
  const { options } = await loginOptions(there);
  await loginMcpServer({ ...options, showUrl: async (url) => void (await there.visit(url)) });
  there.behaviour.expiresIn = 3600;
  const start = () =>
    startTestServers({ t: options.config }, { pool: testPool({ tokens: options.store }) });

  await using one = await start();
  await using two = await start();
  const early = renewals(there);
  there.valid.clear();
  const results = await Promise.all(
    [one, two].map(({ servers }) => servers.call({ server: "t", tool: "cancelled" })),
  );

  expect(early).toBe(1);
  expect(results.map(textOf)).toEqual(["0", "0"].map(() => expect.stringMatching(/^\d+$/)));
  expect(renewals(there)).toBe(2);
});

test("a login that the issuer no longer takes is as none", async () => {
  await using there = await startProtectedServer();
  const { options } = await loginOptions(there);
  const { config, store } = options;
  await loginMcpServer({ ...options, showUrl: async (url) => void (await there.visit(url)) });
  const login = await store.read({ server: "t", url: there.server.url });
  if (login !== undefined) await store.write({ ...login, refresh_token: "long gone" });
  there.valid.clear();

  await using started = await startTestServers(
    { t: config },
    { pool: testPool({ tokens: store }) },
  );

  expect(started.errors).toEqual({
    t: "The t MCP server is not logged in. Run `codex mcp login t`.",
  });
  expect(await store.read({ server: "t", url: there.server.url })).toBeUndefined();
});

test("only the browser that was sent can bring the code, and others are turned away", async () => {
  await using there = await startProtectedServer();
  const { options } = await loginOptions(there);
  const { authorizationUrl, finished } = await startMcpLogin(options);
  const back = new URL(authorizationUrl).searchParams.get("redirect_uri") ?? "";

  const forged = await fetch(`${back}?code=stolen&state=guessed`);
  const elsewhere = await fetch(new URL("/other", back));
  const real = await there.visit(authorizationUrl);
  await finished;

  expect([forged.status, elsewhere.status, real.status]).toEqual([400, 404, 200]);
  expect(await real.text()).toBe("Authentication complete. You may close this window.\n");
  await expect(fetch(back)).rejects.toThrow();
});

test("a login that is refused, aborted or times out rejects and stores nothing", async () => {
  await using there = await startProtectedServer();
  const { folder, options } = await loginOptions(there);
  const given = new AbortController();

  there.behaviour.refuses = true;
  const refused = loginMcpServer({
    ...options,
    showUrl: async (url) => void (await there.visit(url)),
  });
  await expect(refused).rejects.toThrow(
    "Cannot log in to the MCP server t: the login was refused: the user said no",
  );
  const late = loginMcpServer({ ...options, timeoutMs: 30, showUrl: () => {} });
  await expect(late).rejects.toThrow("Cannot log in to the MCP server t: timed out after 0.03 s");
  const stopped = loginMcpServer({
    ...options,
    signal: given.signal,
    showUrl: () => given.abort(new Error("the user has left")),
  });
  await expect(stopped).rejects.toThrow("Cannot log in to the MCP server t: the user has left");

  expect(await readdir(folder).catch(() => [])).toEqual([]);
});

test("rejects servers without login before opening anything", async () => {
  await using there = await startProtectedServer();
  const { options } = await loginOptions(there);
  const start = (config: McpLoginOptions["config"]) => startMcpLogin({ ...options, config });

  await expect(start(programServer("x"))).rejects.toThrow(
    "The MCP server t is a local program; only servers with a `url` support login",
  );
  await expect(start(httpServer("nonsense"))).rejects.toThrow("is not a URL");
  there.behaviour.noRegistration = true;
  await expect(start(options.config)).rejects.toThrow(/^Cannot log in to the MCP server t: /);
});

test("a login is never sent in the clear to another machine", async () => {
  await using there = await startProtectedServer();
  const { options } = await loginOptions(there);
  const metadata = {
    issuer: "http://login.example",
    authorization_endpoint: "http://login.example/authorize",
    token_endpoint: "http://login.example/token",
    response_types_supported: ["code"],
  };

  const login = startMcpLogin({
    ...options,
    fetch: async (url) =>
      new URL(url).pathname.startsWith("/.well-known/oauth-authorization-server")
        ? Response.json(metadata)
        : new Response(null, { status: 404 }),
  });

  await expect(login).rejects.toThrow("http://login.example must use https");
});

async function loginOptions(there: ProtectedServer): Promise<{
  folder: string;
  options: McpLoginOptions & { store: TokenStore };
}> {
  const home = await mkdtemp(join(tmpdir(), "quire-mcp-login-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const folder = join(home, "mcp-oauth");
  const store = fileTokenStore(folder);
  return { folder, options: { server: "t", config: httpServer(there.server.url), store, env: {} } };
}

function renewals({ asked }: ProtectedServer): number {
  return asked.filter(({ fields }) => fields.grant_type === "refresh_token").length;
}
