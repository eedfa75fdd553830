import {
  issuerOf,
  type LoginParts,
  type LoginResult,
  loginWithApiKey,
  openAuthStore,
  openBrowser,
  postDirectly,
  startBrowserLogin,
  startDeviceLogin,
} from "../../../auth/index.js";
import { systemClock } from "../../../lib/clock.js";
import { programName } from "../../../lib/program-name.js";
import { originatorOf } from "../../../model/index.js";
import { CodexError } from "../../../protocol/error.js";
import type { CommandIo } from "../../command.js";
import { exitCodes, UsageError } from "../../exit-codes.js";
import type { ConfigValues } from "../../options/config-options.js";
import { visible } from "../../print.js";
import { loadUserConfig } from "../../user-config.js";

/** Stores the API key read from standard input. */
export async function loginWithKey(values: ConfigValues, io: CommandIo): Promise<number> {
  if (io.stdin.isTTY) {
    throw new UsageError(
      "--with-api-key reads the key from standard input. Pipe it: " +
        "printenv OPENAI_API_KEY | quire login --with-api-key",
    );
  }
  const parts = await loginParts(values, io, "api");
  io.stderr.write("Reading API key from standard input\n");
  const key = await readInput(io.stdin, longestKey);
  await loginWithApiKey(parts, key);
  io.stderr.write("Successfully logged in\n");
  return exitCodes.ok;
}

const longestKey = 64 * 1024;

/** Logs in with ChatGPT in a browser on this machine. */
export async function loginInBrowser(values: ConfigValues, io: CommandIo): Promise<number> {
  const parts = await loginParts(values, io, "chatgpt");
  const login = await startBrowserLogin({ ...parts, originator: originatorOf(io.env) });
  io.signal.addEventListener("abort", login.cancel, { once: true });
  io.stderr.write(
    `Starting local login server on http://localhost:${login.port}. If no browser opens, go to\n\n` +
      `${login.authUrl}\n\nNo browser on this machine? Use \`${programName()} login --device-auth\`.\n`,
  );
  await openBrowser(login.authUrl, { platform: process.platform, env: io.env });
  return reportLogin(await login.done, io);
}

/** Logs in with ChatGPT in a browser on another device, with a code. */
export async function loginOnDevice(values: ConfigValues, io: CommandIo): Promise<number> {
  const parts = await loginParts(values, io, "chatgpt");
  const login = await startDeviceLogin(parts);
  io.signal.addEventListener("abort", login.cancel, { once: true });
  const minutes = Math.round((login.expiresAt - parts.clock.now()) / 60_000);
  io.stderr.write(
    `1. Open ${login.verificationUrl} on any device and sign in.\n` +
      `2. Enter this code within ${minutes} minutes: ${visible(login.userCode)}\n\n` +
      "Do not share the code: anyone who has it can join the login.\n",
  );
  return reportLogin(await login.done, io);
}

function reportLogin(result: LoginResult, { stderr, signal }: CommandIo): number {
  if (result.ok) {
    stderr.write("Successfully logged in\n");
    return exitCodes.ok;
  }
  if (signal.aborted) return exitCodes.interrupted;
  throw new CodexError("auth", `Not logged in: ${result.error}`);
}

async function loginParts(
  values: ConfigValues,
  io: CommandIo,
  method: "api" | "chatgpt",
): Promise<LoginParts> {
  const { home, cli_auth_credentials_store, forced_login_method } = await loadUserConfig(
    values,
    io,
  );
  if (forced_login_method !== undefined && forced_login_method !== method) {
    const other =
      method === "api"
        ? `ChatGPT: \`${programName()} login\``
        : `a key: \`${programName()} login --with-api-key\``;
    throw new CodexError("config", `forced_login_method requires a login with ${other}`);
  }
  return {
    home,
    store: await openAuthStore({ home, mode: cli_auth_credentials_store }),
    issuer: issuerOf(io.env),
    http: postDirectly,
    clock: systemClock,
  };
}

/** Reads standard input to its end; throws if it has more than `limit` bytes. */
async function readInput(
  stdin: AsyncIterable<string | Uint8Array>,
  limit: number,
): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of stdin) {
    const bytes = Buffer.from(part);
    length += bytes.length;
    if (length > limit) throw new UsageError(`Standard input has more than ${limit} bytes`);
    parts.push(bytes);
  }
  return Buffer.concat(parts, length).toString("utf8");
}
