import { type AuthStatus, authStatus, openAuthStore } from "../../../auth/index.js";
import { defineCommand } from "../../command.js";
import { exitCodes } from "../../exit-codes.js";
import { configOptions } from "../../options/config-options.js";
import { visible } from "../../print.js";
import { loadUserConfig } from "../../user-config.js";

/** Says who is signed in. */
export const loginStatus = defineCommand({
  name: "login status",
  summary: "Say who is signed in and how",
  options: {
    json: { type: "boolean", help: "Write it as JSON on standard output" },
    ...configOptions,
  },
  details: "The exit code is 0 when somebody is signed in, else 1.",
  async run({ values }, io) {
    const { home, cli_auth_credentials_store: mode } = await loadUserConfig(values, io);
    const status = authStatus(await (await openAuthStore({ home, mode })).read());
    if (values.json) io.stdout.write(`${JSON.stringify(status ?? { method: null })}\n`);
    else io.stderr.write(`${visible(statusText(status))}\n`);
    return status === undefined ? exitCodes.failed : exitCodes.ok;
  },
});

/** What a person is told. */
export function statusText(status: AuthStatus | undefined): string {
  if (status === undefined) return "Not logged in";
  if (status.method === "apikey") return `Logged in using an API key - ${status.shownKey}`;
  const { email, planType } = status;
  const who = [email, planType && `plan ${planType}`].filter(Boolean).join(", ");
  return who === "" ? "Logged in using ChatGPT" : `Logged in using ChatGPT (${who})`;
}
