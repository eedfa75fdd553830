import { expect, test } from "vitest";
import { issuerOf } from "../../src/auth/index.js";

test("the issuer is OpenAI's unless the caller or the environment names another", () => {
  const env = {
    CODEX_APP_SERVER_LOGIN_ISSUER: "https://env.example/",
    CODEX_APP_SERVER_LOGIN_CLIENT_ID: "app_env",
    QUIRE_LOGIN_PORT: "8123",
  };

  expect(issuerOf({})).toEqual({
    url: "https://auth.openai.com",
    clientId: "app_EMoamEEZ73f0CkXaXp7hrann",
    refreshUrl: "https://auth.openai.com/oauth/token",
    callbackPort: 1455,
  });
  expect(issuerOf(env)).toEqual({
    url: "https://env.example",
    clientId: "app_env",
    refreshUrl: "https://env.example/oauth/token",
    callbackPort: 8123,
  });
  expect(issuerOf(env, { url: "http://localhost:9/", clientId: "app" })).toEqual({
    url: "http://localhost:9",
    clientId: "app",
    refreshUrl: "http://localhost:9/oauth/token",
    callbackPort: 8123,
  });
});

test.each(["http://auth.example", "ftp://localhost", "auth.example", ""])(
  "tokens are not sent to %j",
  (url) => {
    expect(() => issuerOf({}, { url })).toThrow("must be an https URL");
  },
);

test("nor to an unsafe address for renewals", () => {
  const env = { CODEX_REFRESH_TOKEN_URL_OVERRIDE: "http://10.0.0.1/token" };

  expect(() => issuerOf(env)).toThrow("CODEX_REFRESH_TOKEN_URL_OVERRIDE must be an https URL");
});

test.each(["http", "65536", "-1", "1.5"])("%j is no port to wait on", (QUIRE_LOGIN_PORT) => {
  expect(() => issuerOf({ QUIRE_LOGIN_PORT })).toThrow("QUIRE_LOGIN_PORT must be a port");
});
