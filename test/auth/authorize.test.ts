import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import {
  authorizeUrl,
  callbackUrl,
  createPkce,
  createState,
  isSame,
  successUrl,
} from "../../src/auth/authorize.js";
import { toJwt } from "../support/issuer.js";

test("the consent page gets every parameter, encoded", () => {
  const url = new URL(
    authorizeUrl({
      issuer: { url: "https://login.example", clientId: "c&1" },
      redirectUri: callbackUrl(1455),
      challenge: "ch",
      state: "s t",
      originator: "me",
    }),
  );

  expect(url.origin + url.pathname).toBe("https://login.example/oauth/authorize");
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: "code",
    client_id: "c&1",
    redirect_uri: "http://localhost:1455/auth/callback",
    code_challenge: "ch",
    code_challenge_method: "S256",
    state: "s t",
    originator: "me",
  });
});

test("the challenge is the hash of the secret, and both are new each time", () => {
  const pkce = createPkce();
  const hash = createHash("sha256").update(pkce.verifier).digest("base64url");

  expect(pkce.challenge).toBe(hash);
  expect(pkce.verifier).toMatch(/^[\w-]{86}$/);
  expect(createPkce().verifier).not.toBe(pkce.verifier);
  expect(createState()).not.toBe(createState());
});

test.each([
  ["abc", "abc", true],
  ["abc", "abd", false],
  ["abc", "abcd", false],
  ["", "", true],
  ["é", "e", false],
])("isSame(%j, %j) is %j", (left, right, expected) => {
  expect(isSame(left, right)).toBe(expected);
});

test("the last page has the plan but no token", () => {
  const auth = { "https://api.openai.com/auth": { chatgpt_plan_type: "pro & more" } };
  const accessToken = toJwt(auth);

  const url = successUrl(7, { idToken: toJwt({}), accessToken, refreshToken: "refresh" });

  expect(url).toBe("http://localhost:7/success?needs_setup=false&plan_type=pro%20%26%20more");
  expect(url).not.toContain(accessToken);
});
