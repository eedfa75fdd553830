import { createHash } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { text } from "node:stream/consumers";
import { authorizeUrl, callbackUrl, createPkce } from "../../src/auth/authorize.js";
import {
  authFilePath,
  authStatus,
  issuerOf,
  loginWithApiKey,
  logout,
  openAuthStore,
  postDirectly,
  startBrowserLogin,
} from "../../src/auth/index.js";
import { loginOf } from "../../src/auth/login.js";
import { eraNamed } from "../../src/compat/index.js";
import { systemClock } from "../../src/lib/clock.js";
import { cleanUserAgent, originatorOf, readSystemInfo, userAgent } from "../../src/model/index.js";
import { clientHeaders } from "../../src/model/request-target.js";
import { scriptedProvider } from "../../src/model/scripted/index.js";
import type { SuiteAdapter, SuiteCase } from "../suite.js";
import { differs } from "./differs.js";
import { type RunKind, runKind } from "./run-kind.js";

/** Stored logins, the pages of the browser login, and the client's name. */
export const suite: SuiteAdapter = {
  name: "auth_notify",
  run: (testCase, { dir }) => runKind(kinds, testCase, dir),
};

const kinds: Record<string, RunKind<string>> = {
  auth_load: runLoad,
  auth_roundtrip: runRoundtrip,
  auth_login_api_key: runLogin,
  auth_logout: runLogout,
  authorize_url: runAuthorizeUrl,
  login_http: runLoginPage,
  pkce: runPkce,
  user_agent: runUserAgent,
  user_agent_sanitize: async ({ candidate, expect }) =>
    differs(cleanUserAgent(String(candidate)), expect),
  default_headers: runDefaultHeaders,
};

async function runLoad(testCase: SuiteCase, home: string): Promise<string | undefined> {
  await store(home, testCase.auth_json);
  const file = await (await openAuthStore({ home })).read();
  const login = loginOf(file);
  const status = authStatus(file);
  const tokens = login?.kind === "chatgpt" ? login.tokens : undefined;
  const found = {
    mode: status?.method ?? null,
    api_key: login?.kind === "api_key" ? login.token : null,
    email: (status?.method === "chatgpt" && status.email) || null,
    plan_type: (status?.method === "chatgpt" && status.planType) || null,
    access_token: tokens?.access_token ?? null,
    refresh_token: tokens?.refresh_token ?? null,
    account_id: tokens?.account_id ?? null,
    last_refresh: file?.last_refresh ?? null,
    token_data_error: tokens === undefined,
  };
  if (testCase.expect === null) return differs(login ?? null, null);
  return differIn(found, testCase.expect as Record<string, unknown>);
}

async function runRoundtrip(testCase: SuiteCase, home: string): Promise<string | undefined> {
  await store(home, testCase.auth_json);
  const place = await openAuthStore({ home });
  const before = await place.read();
  if (before === undefined) return "the login was not found";
  await place.write(before);
  return (
    (await differIn({ ...(await place.read()) }, before)) ?? (await differInFile(testCase, home))
  );
}

async function differInFile({ auth_json }: SuiteCase, home: string): Promise<string | undefined> {
  return differs(JSON.parse(await readFile(authFilePath(home), "utf8")), auth_json);
}

async function runLogin(testCase: SuiteCase, home: string): Promise<string | undefined> {
  await store(home, testCase.initial);
  const place = { home, store: await openAuthStore({ home }) };
  await loginWithApiKey(place, String(testCase.api_key));
  const path = authFilePath(home);
  const mode = ((await stat(path)).mode & 0o777).toString(8).padStart(4, "0");
  const file = JSON.parse(await readFile(path, "utf8"));
  return differs(file, testCase.expect_file) ?? differs(mode, testCase.mode ?? mode);
}

async function runLogout(testCase: SuiteCase, home: string): Promise<string | undefined> {
  await store(home, testCase.initial);
  const removed = await logout({ home, store: await openAuthStore({ home }) });
  const file_exists = await stat(authFilePath(home)).then(
    () => true,
    () => false,
  );
  return differIn({ removed, file_exists }, testCase.expect as Record<string, unknown>);
}

async function runAuthorizeUrl(testCase: SuiteCase): Promise<string | undefined> {
  const given = testCase.given as Record<string, string> & { port: number };
  const url = authorizeUrl({
    issuer: issuerOf({}, { url: given.issuer, clientId: given.client_id }),
    redirectUri: callbackUrl(given.port),
    challenge: given.code_challenge ?? "",
    state: given.state ?? "",
    originator: given.originator ?? originatorOf({}),
  });
  return differs(url, testCase.expect);
}

/** The browser asks for one page of a login that waits for it. */
async function runLoginPage(testCase: SuiteCase, home: string): Promise<string | undefined> {
  const login = await startBrowserLogin({
    home,
    store: await openAuthStore({ home }),
    issuer: issuerOf({}, { url: "http://127.0.0.1:1" }),
    http: postDirectly,
    clock: systemClock,
    originator: originatorOf({}),
    port: 0,
    state: String(testCase.state),
  });
  try {
    const page = await visit(`http://127.0.0.1:${login.port}${testCase.request}`);
    return differIn(page, testCase.expect as Record<string, unknown>);
  } finally {
    login.cancel();
    await login.done;
  }
}

function visit(url: string): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = get(url, { agent: false }, async (incoming) => {
      resolve({ status: incoming.statusCode, body: await text(incoming) });
    });
    outgoing.on("error", reject);
  });
}

async function runPkce(testCase: SuiteCase): Promise<string | undefined> {
  const { verifier, challenge } = createPkce();
  const hash = createHash("sha256").update(verifier).digest("base64url");
  const found = {
    verifier_len: verifier.length,
    challenge: challenge === hash && "base64url(sha256(verifier)) without padding",
    challenge_len: challenge.length,
  };
  return differIn(found, testCase.expect as Record<string, unknown>);
}

async function runUserAgent(testCase: SuiteCase): Promise<string | undefined> {
  const line = await ownUserAgent();
  const { expect_prefix = "", expect_regex = "" } = testCase;
  const fits =
    line.startsWith(String(expect_prefix)) && new RegExp(String(expect_regex)).test(line);
  return fits ? undefined : line;
}

async function runDefaultHeaders(testCase: SuiteCase): Promise<string | undefined> {
  const behavior = eraNamed("0.42")?.model;
  if (behavior === undefined) return "no such era";
  const line = await ownUserAgent();
  const originator = originatorOf({});
  const parts = { provider: scriptedProvider, behavior, env: {}, originator, userAgent: line };
  const found = clientHeaders(parts);
  const wanted = Object.entries(testCase.expect as Record<string, string>);
  const expected = wanted.map(([key, value]) => [
    key,
    value === "<codex user agent>" ? line : value,
  ]);
  return differIn(found, Object.fromEntries(expected));
}

async function ownUserAgent(): Promise<string> {
  const system = await readSystemInfo();
  return userAgent({ originator: originatorOf({}), version: "0.42.0", system, env: process.env });
}

async function store(home: string, file: unknown): Promise<void> {
  if (file === null || file === undefined) return;
  await writeFile(authFilePath(home), JSON.stringify(file));
}

function differIn(
  found: Record<string, unknown>,
  expected: Record<string, unknown>,
): string | undefined {
  for (const [key, value] of Object.entries(expected)) {
    const difference = differs(found[key], value);
    if (difference !== undefined) return `${key}: ${difference}`;
  }
  return undefined;
}
