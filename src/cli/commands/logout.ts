import { logout as endLogin, openAuthStore } from "../../auth/index.js";
import { defineCommand } from "../command.js";
import { exitCodes } from "../exit-codes.js";
import { configOptions } from "../options/config-options.js";
import { loadUserConfig } from "../user-config.js";

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
