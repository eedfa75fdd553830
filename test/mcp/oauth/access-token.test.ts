import { expect, test } from "vitest";
import { AccessToken, withAccessToken } from "../../../src/mcp/oauth/access-token.js";
import type { StoredLogin, TokenStore } from "../../../src/mcp/oauth/token-store.js";

const key = { server: "t", url: "https://example.com/mcp" };
const login: StoredLogin = {
  ...key,
  issuer: "https://login.example",
  client_id: "c",
  access_token: "old",
};

/** A store in memory that counts its reads. */
function memoryStore(stored: StoredLogin | undefined) {
  const state = { stored, reads: 0 };
  const store: TokenStore = {
    async read() {
      state.reads++;
      return state.stored;
    },
    async write(next) {
      state.stored = next;
    },
    async remove() {
      const existed = state.stored !== undefined;
      state.stored = undefined;
      return existed;
    },
    exclusively: (_key, run) => run(),
  };
  return { state, store };
}

const offline = async () => {
  throw new Error("offline");
};

function tokenOf(store: TokenStore, { now = 0, fetch = offline as typeof globalThis.fetch } = {}) {
  return new AccessToken({ key, store, fetch, now: () => now });
}

test("without a login there is no token", async () => {
  const { store } = memoryStore(undefined);

  expect(await tokenOf(store).current()).toBeUndefined();
  expect(await tokenOf(store).renew("old")).toBeUndefined();
});

test("a token without an expiry, or one that is still valid, is used and read once", async () => {
  const plain = memoryStore(login);
  const valid = memoryStore({ ...login, expires_at: 100_000 });
  const token = tokenOf(plain.store);

  expect([await token.current(), await token.current()]).toEqual(["old", "old"]);
  expect(plain.state.reads).toBe(1);
  expect(await tokenOf(valid.store, { now: 60_000 }).current()).toBe("old");
});

test("an expired token that cannot be refreshed is still tried", async () => {
  const { store } = memoryStore({ ...login, expires_at: 1_000 });

  expect(await tokenOf(store, { now: 2_000 }).current()).toBe("old");
});

test("a token that another process has refreshed is taken from the store", async () => {
  const { store, state } = memoryStore(login);
  const token = tokenOf(store);
  await token.current();
  state.stored = { ...login, access_token: "new" };

  expect(await token.renew("old")).toBe("new");
  expect(await token.current()).toBe("new");
});

test("a network failure does not delete the login", async () => {
  const { store, state } = memoryStore({ ...login, refresh_token: "r" });

  expect(await tokenOf(store).renew("old")).toBeUndefined();
  expect(state.stored?.refresh_token).toBe("r");
});

/** Answers the metadata requests with 404 and the token request with `answer`. */
function issuer(answer: { status: number; body: object }): typeof globalThis.fetch {
  return (async (url: string | URL) =>
    String(url).endsWith("/token")
      ? Response.json(answer.body, { status: answer.status })
      : new Response(null, { status: 404 })) as typeof globalThis.fetch;
}

test("a refresh stores the new tokens", async () => {
  const { store, state } = memoryStore({ ...login, refresh_token: "r1" });
  const body = { access_token: "new", token_type: "bearer", refresh_token: "r2", expires_in: 60 };
  const token = tokenOf(store, { now: 1_000, fetch: issuer({ status: 200, body }) });

  expect(await token.renew("old")).toBe("new");
  expect(state.stored).toMatchObject({
    access_token: "new",
    refresh_token: "r2",
    expires_at: 61_000,
  });
});

test("a rejected refresh token deletes the login", async () => {
  const { store, state } = memoryStore({ ...login, refresh_token: "r" });
  const fetch = issuer({ status: 400, body: { error: "invalid_grant" } });

  expect(await tokenOf(store, { fetch }).renew("old")).toBeUndefined();
  expect(state.stored).toBeUndefined();
});

/** Answers 401 to every token but `good`, and records the tokens. */
function guarded(good: string) {
  const seen: (string | null)[] = [];
  const fetch = async (_url: string | URL, init?: RequestInit) => {
    const sent = new Headers(init?.headers).get("authorization");
    seen.push(sent);
    return new Response("x", { status: sent === `Bearer ${good}` ? 200 : 401 });
  };
  return { seen, fetch };
}

test("a rejected request is retried once with the refreshed token", async () => {
  const { store, state } = memoryStore(login);
  const { seen, fetch } = guarded("new");
  const token = tokenOf(store);
  await token.current();
  state.stored = { ...login, access_token: "new" };

  const response = await withAccessToken(fetch, token)("https://example.com/mcp", {
    headers: { "x-own": "1" },
  });

  expect(response.status).toBe(200);
  expect(seen).toEqual(["Bearer old", "Bearer new"]);
});

test.each<[string, StoredLogin | undefined, (string | null)[]]>([
  ["without a login", undefined, [null]],
  ["without a newer token", login, ["Bearer old"]],
])("%s the 401 is returned", async (_name, stored, expected) => {
  const { seen, fetch } = guarded("other");

  const send = withAccessToken(fetch, tokenOf(memoryStore(stored).store));

  expect((await send("https://example.com/mcp")).status).toBe(401);
  expect(seen).toEqual(expected);
});
