import { logout as endLogin, openAuthStore } from "../../auth/index.js";
import { defineCommand } from "../command.js";
import { exitCodes, UsageError } from "../exit-codes.js";
import { configOptions } from "../options/config-options.js";
import { loadUserConfig } from "../user-config.js";

/** Signs the user in. */
export const login = defineCommand({
  name: "login",
  summary: "Sign in, with ChatGPT or an API key",
  verbs: [
    {
      name: "status",
      summary: "Say who is signed in and how",
      load: async () => (await import("./login/status.js")).loginStatus,
    },
  ],
  options: {
    "with-api-key": { type: "boolean", help: "Read an API key from standard input and keep it" },
    "device-auth": { type: "boolean", help: "Sign in on another device, by a code" },
    "with-access-token": { type: "boolean", hidden: true, help: "Not supported" },
    "api-key": { type: "string", hidden: true, help: "Not supported: others could read it" },
    ...configOptions,
  },
  details: [
    "Without an option it signs in with ChatGPT in the browser. A key comes on standard input,",
    "where no list of processes shows it:",
    "  printenv OPENAI_API_KEY | quire login --with-api-key",
    "A login server of your own is named by CODEX_APP_SERVER_LOGIN_ISSUER, and the port that it sends",
    "browsers back to by QUIRE_LOGIN_PORT (1455 without it; 0 takes any that is free).",
  ].join("\n"),
  async run({ values }, io) {
    if (values["api-key"] !== undefined) {
      throw new UsageError(
        "--api-key would show the key to all who list processes. Pipe it instead: " +
          "printenv OPENAI_API_KEY | quire login --with-api-key",
      );
    }
    if (values["with-access-token"]) {
      throw new UsageError(
        "--with-access-token is not supported. Sign in with `quire login`, with " +
          "`quire login --device-auth` on a machine without a browser, or with a key: " +
          "printenv OPENAI_API_KEY | quire login --with-api-key",
      );
    }
    if (values["with-api-key"] && values["device-auth"]) {
      throw new UsageError("Sign in with a key or on another device: leave one option away");
    }
    const { loginOnDevice, loginInBrowser, loginWithKey } = await import("./login/sign-in.js");
    if (values["with-api-key"]) return loginWithKey(values, io);
    return values["device-auth"] ? loginOnDevice(values, io) : loginInBrowser(values, io);
  },
});

/** Forgets the sign-in. */
export const logout = defineCommand({
  name: "logout",
  summary: "Forget the sign-in",
  options: configOptions,
  async run({ values }, io) {
    const { home, cli_auth_credentials_store: mode } = await loadUserConfig(values, io);
    const wasSignedIn = await endLogin({ home, store: await openAuthStore({ home, mode }) });
    io.stderr.write(wasSignedIn ? "Successfully logged out\n" : "Not logged in\n");
    return exitCodes.ok;
  },
});
