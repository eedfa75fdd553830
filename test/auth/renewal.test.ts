import { expect, test } from "vitest";
import {
  notRenewable,
  readRenewal,
  renewedFile,
  signedOut,
  unavailable,
} from "../../src/auth/renewal.js";

const ok = (body: unknown) => ({ status: 200, body: JSON.stringify(body) });

test.each<[string, unknown, object]>([
  [
    "all tokens",
    { id_token: "i", access_token: "a", refresh_token: "r" },
    { id_token: "i", access_token: "a", refresh_token: "r" },
  ],
  ["only an access token", { access_token: "a", expires_in: 5 }, { access_token: "a" }],
  [
    "empty and wrong values",
    { access_token: "a", refresh_token: "", id_token: 7 },
    { access_token: "a" },
  ],
])("a response with %s renews them", (_name, body, tokens) => {
  expect(readRenewal(ok(body))).toEqual({ tokens });
});

test.each<[string, { status: number; body: string }, string, boolean]>([
  ["no tokens", ok({}), "unavailable", false],
  ["no JSON", { status: 200, body: "<html>" }, "unavailable", false],
  ["expired", { status: 401, body: '{"error":{"code":"refresh_token_expired"}}' }, "expired", true],
  ["reused", { status: 400, body: '{"error":{"code":"refresh_token_reused"}}' }, "reused", true],
  ["revoked", { status: 401, body: '{"code":"refresh_token_invalidated"}' }, "revoked", true],
  ["invalid_grant", { status: 400, body: '{"error":"invalid_grant"}' }, "refused", true],
  ["an unknown 401", { status: 401, body: "" }, "refused", true],
  ["a server error", { status: 503, body: "" }, "unavailable", false],
])("a response with %s is a failure", (_name, answer, reason, final) => {
  expect(readRenewal(answer)).toEqual({
    failure: { reason, final, message: expect.stringMatching(/^Your sign-in .*\.$/) },
  });
});

test("failures name the remedy", () => {
  expect(unavailable("no network").message).toBe(
    "Your sign-in could not be renewed: no network. Try again later.",
  );
  expect(signedOut().message).toMatch(
    /^You have been signed out\. Sign in again with `\w+ login`\.$/,
  );
  expect(notRenewable()).toMatchObject({ reason: "refused", final: true });
});

test("a refreshed file retains unchanged fields", () => {
  const file = { other: 1, tokens: { access_token: "old", refresh_token: "r", extra: 2 } };

  expect(renewedFile(file, { access_token: "new" }, 0)).toEqual({
    other: 1,
    tokens: { access_token: "new", refresh_token: "r", extra: 2 },
    last_refresh: "1970-01-01T00:00:00.000Z",
  });
});
