import { programName } from "../lib/program-name.js";
import { CodexError } from "../protocol/error.js";
import { parseRecord } from "../protocol/read/check.js";
import type { HttpAnswer } from "./http.js";
import { textOf } from "./login.js";
import {
  cancelledLogin,
  failedLogin,
  type LoginParts,
  type LoginResult,
  saveLogin,
} from "./save-login.js";
import { type CodeGrant, exchangeCode, isOk, postJson } from "./token-endpoint.js";

/** A login that the user completes on any device. */
export interface DeviceLogin {
  /** Page where the user signs in. */
  verificationUrl: string;
  /** Code to enter there; anyone who has it can take part in the login. */
  userCode: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
  /** Never rejects. */
  done: Promise<LoginResult>;
  cancel(): void;
}

const limitMs = 15 * 60 * 1000;
const requestLimitMs = 30_000;
const defaultIntervalMs = 5_000;
const shortestIntervalMs = 1_000;
const longestIntervalMs = 60_000;

/** Requests a device code from the issuer. Throws if it returns none. */
export async function startDeviceLogin(parts: LoginParts): Promise<DeviceLogin> {
  const abort = new AbortController();
  const code = await requestCode(parts, abort.signal);
  const expiresAt = parts.clock.now() + limitMs;
  return {
    verificationUrl: `${parts.issuer.url}/codex/device`,
    userCode: code.userCode,
    expiresAt,
    done: complete(parts, code, expiresAt, abort.signal),
    cancel: () => abort.abort(new Error(cancelledLogin.error)),
  };
}

interface DeviceCode {
  deviceId: string;
  userCode: string;
  intervalMs: number;
}

async function requestCode(parts: LoginParts, signal: AbortSignal): Promise<DeviceCode> {
  const { clientId } = parts.issuer;
  const answer = await post(parts, "usercode", signal, { client_id: clientId });
  if (answer.status === 404) {
    const message =
      `${parts.issuer.url} does not offer sign-in by device code. ` +
      `Sign in with the browser (\`${programName()} login\`), or check the address of the login server.`;
    throw new CodexError("unsupported", message);
  }
  if (!isOk(answer)) {
    throw new CodexError("auth", `device code request failed with status ${answer.status}`);
  }
  const fields = parseRecord(answer.body) ?? {};
  const deviceId = textOf(fields.device_auth_id);
  const userCode = textOf(fields.user_code) ?? textOf(fields.usercode);
  if (deviceId === undefined || userCode === undefined) {
    throw new CodexError("auth", "the login server returned no device code");
  }
  return { deviceId, userCode, intervalMs: readInterval(fields.interval) };
}

async function complete(
  parts: LoginParts,
  code: DeviceCode,
  expiresAt: number,
  signal: AbortSignal,
): Promise<LoginResult> {
  try {
    const grant = await poll(parts, code, expiresAt, signal);
    if (grant === undefined) {
      return { ok: false, reason: "timed_out", error: "device auth timed out after 15 minutes" };
    }
    const tokens = await exchangeCode(parts, grant, signal);
    signal.throwIfAborted();
    return { ok: true, status: await saveLogin(parts, tokens) };
  } catch (error) {
    return signal.aborted ? cancelledLogin : failedLogin(error);
  }
}

/** Polls until the user has entered the code; undefined after the time limit. */
async function poll(
  parts: LoginParts,
  { deviceId, userCode, intervalMs }: DeviceCode,
  expiresAt: number,
  signal: AbortSignal,
): Promise<CodeGrant | undefined> {
  const { clock, issuer } = parts;
  while (clock.now() < expiresAt) {
    const question = { device_auth_id: deviceId, user_code: userCode };
    const answer = await post(parts, "token", signal, question).catch(() => noAnswer);
    signal.throwIfAborted();
    if (isOk(answer)) return readGrant(answer, `${issuer.url}/deviceauth/callback`);
    if (!isPending(answer)) {
      throw new CodexError("auth", `device auth failed with status ${answer.status}`);
    }
    await clock.sleep(Math.min(intervalMs, Math.max(0, expiresAt - clock.now())), signal);
  }
  return undefined;
}

/** The network may recover before the code expires. */
const noAnswer: HttpAnswer = { status: 0, body: "" };

/** The user has not entered the code yet, or the server is overloaded. */
function isPending({ status }: HttpAnswer): boolean {
  return status === 403 || status === 404 || status === 429 || status >= 500 || status === 0;
}

function readGrant({ body }: HttpAnswer, redirectUri: string): CodeGrant {
  const fields = parseRecord(body) ?? {};
  const code = textOf(fields.authorization_code);
  const verifier = textOf(fields.code_verifier);
  if (code === undefined || verifier === undefined) {
    throw new CodexError("auth", "the login server returned no authorization code");
  }
  return { code, verifier, redirectUri };
}

/** Seconds, as a number or a string. */
function readInterval(value: unknown): number {
  const seconds = Number(value ?? Number.NaN);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : defaultIntervalMs;
  return Math.min(longestIntervalMs, Math.max(shortestIntervalMs, ms));
}

function post(
  { issuer, http }: LoginParts,
  what: "usercode" | "token",
  signal: AbortSignal,
  fields: Record<string, string>,
): Promise<HttpAnswer> {
  const url = `${issuer.url}/api/accounts/deviceauth/${what}`;
  const limited = AbortSignal.any([signal, AbortSignal.timeout(requestLimitMs)]);
  return postJson(http, url, limited, fields);
}
