import { logout as endLogin, openAuthStore } from "../../auth/index.js";
import { defineCommand } from "../command.js";
import { exitCodes, UsageError } from "../exit-codes.js";
import { configOptions } from "../options/config-options.js";
import { loadUserConfig } from "../user-config.js";

/** Logs the user in. */
export const login = defineCommand({
  name: "login",
  summary: "Log in with ChatGPT or an API key",
  verbs: [
    {
      name: "status",
      summary: "Show the login status",
      load: async () => (await import("./login/status.js")).loginStatus,
    },
  ],
  options: {
    "with-api-key": { type: "boolean", help: "Read an API key from standard input and store it" },
    "device-auth": { type: "boolean", help: "Log in on another device with a code" },
    "with-access-token": { type: "boolean", hidden: true, help: "Not supported" },
    "api-key": { type: "string", hidden: true, help: "Not supported: visible in process lists" },
    ...configOptions,
  },
  details: [
    "By default, opens the browser to log in with ChatGPT. Pipe an API key through standard input,",
    "so that it does not appear in process lists:",
    "  printenv OPENAI_API_KEY | quire login --with-api-key",
    "Set CODEX_APP_SERVER_LOGIN_ISSUER to use another login server, and QUIRE_LOGIN_PORT to change",
    "the callback port (default 1455; 0 picks a free one).",
  ].join("\n"),
  async run({ values }, io) {
    if (values["api-key"] !== undefined) {
      throw new UsageError(
        "--api-key is not supported: the key would be visible in process lists. Pipe it instead: " +
          "printenv OPENAI_API_KEY | quire login --with-api-key",
      );
    }
    if (values["with-access-token"]) {
      throw new UsageError(
        "--with-access-token is not supported. Use `quire login`, " +
          "`quire login --device-auth` on a machine without a browser, or an API key: " +
          "printenv OPENAI_API_KEY | quire login --with-api-key",
      );
    }
    if (values["with-api-key"] && values["device-auth"]) {
      throw new UsageError("`--with-api-key` and `--device-auth` cannot be used together");
    }
    const { loginOnDevice, loginInBrowser, loginWithKey } = await import("./login/sign-in.js");
    if (values["with-api-key"]) return loginWithKey(values, io);
    return values["device-auth"] ? loginOnDevice(values, io) : loginInBrowser(values, io);
  },
});

/** Logs the user out. */
export const logout = defineCommand({
  name: "logout",
  summary: "Log out and delete the stored credentials",
  options: configOptions,
  async run({ values }, io) {
    const { home, cli_auth_credentials_store: mode } = await loadUserConfig(values, io);
    const wasSignedIn = await endLogin({ home, store: await openAuthStore({ home, mode }) });
    io.stderr.write(wasSignedIn ? "Successfully logged out\n" : "Not logged in\n");
    return exitCodes.ok;
  },
});
