import { expect, test } from "vitest";
import { issuerOf } from "../../src/auth/index.js";

test("the issuer is OpenAI's unless the caller or the environment names another", () => {
  const env = {
    CODEX_APP_SERVER_LOGIN_ISSUER: "https://env.example/",
    CODEX_APP_SERVER_LOGIN_CLIENT_ID: "app_env",
  };

  expect(issuerOf({})).toEqual({
    url: "https://auth.openai.com",
    clientId: "app_EMoamEEZ73f0CkXaXp7hrann",
    refreshUrl: "https://auth.openai.com/oauth/token",
  });
  expect(issuerOf(env)).toEqual({
    url: "https://env.example",
    clientId: "app_env",
    refreshUrl: "https://env.example/oauth/token",
  });
  expect(issuerOf(env, { url: "http://localhost:9/", clientId: "app" })).toEqual({
    url: "http://localhost:9",
    clientId: "app",
    refreshUrl: "http://localhost:9/oauth/token",
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
