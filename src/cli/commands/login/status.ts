import { type AuthStatus, authStatus, openAuthStore } from "../../../auth/index.js";
import { defineCommand } from "../../command.js";
import { exitCodes } from "../../exit-codes.js";
import { configOptions } from "../../options/config-options.js";
import { visible } from "../../print.js";
import { loadUserConfig } from "../../user-config.js";

/** Shows the login of the user. */
export const loginStatus = defineCommand({
  name: "login status",
  summary: "Show the login status",
  options: {
    json: { type: "boolean", help: "Print the status as JSON" },
    ...configOptions,
  },
  details: "Exits with 0 if logged in, otherwise with 1.",
  async run({ values }, io) {
    const { home, cli_auth_credentials_store: mode } = await loadUserConfig(values, io);
    const status = authStatus(await (await openAuthStore({ home, mode })).read());
    if (values.json) io.stdout.write(`${JSON.stringify(status ?? { method: null })}\n`);
    else io.stderr.write(`${visible(statusText(status))}\n`);
    return status === undefined ? exitCodes.failed : exitCodes.ok;
  },
});

/** Formats the status for people. */
export function statusText(status: AuthStatus | undefined): string {
  if (status === undefined) return "Not logged in";
  if (status.method === "apikey") return `Logged in using an API key - ${status.shownKey}`;
  const { email, planType } = status;
  const who = [email, planType && `plan ${planType}`].filter(Boolean).join(", ");
  return who === "" ? "Logged in using ChatGPT" : `Logged in using ChatGPT (${who})`;
}
