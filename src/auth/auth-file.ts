import { join } from "node:path";
import { programName } from "../lib/program-name.js";
import { CodexError } from "../protocol/error.js";
import { homeSecrets } from "../protocol/home-secrets.js";
import { isRecord, type JsonRecord, parseRecord } from "../protocol/read/check.js";

/**
 * Contents of `auth.json`.
 *
 * Unknown fields are retained when the file is written again.
 */
export interface AuthFile {
  /** Selects the key or the tokens; files without it use the key, if there is one. */
  auth_mode?: string | null;
  OPENAI_API_KEY?: string | null;
  tokens?: StoredTokens | null;
  /** Time the tokens were issued or refreshed, in RFC 3339 format. */
  last_refresh?: string | null;
  [field: string]: unknown;
}

/** The tokens of a ChatGPT login. */
export interface StoredTokens {
  /** JWT with the user's identity; see `readClaims`. */
  id_token?: string;
  access_token: string;
  refresh_token?: string;
  account_id?: string | null;
  [field: string]: unknown;
}

/** Returns the path of `auth.json` in a home. */
export function authFilePath(home: string): string {
  return join(home, homeSecrets.login);
}

/**
 * Parses the text of a login.
 *
 * Throws a `CodexError` that names the invalid field but never quotes its value.
 */
export function parseAuthFile(text: string, place: string): AuthFile {
  const file = parseRecord(text);
  if (file === undefined) throw unreadable(place, "it is not a JSON object");
  checkTexts(file, ["auth_mode", "OPENAI_API_KEY", "last_refresh"], place);
  const { tokens } = file;
  if (tokens === undefined || tokens === null) return file as AuthFile;
  if (!isRecord(tokens)) throw unreadable(place, "`tokens` is not an object");
  checkTexts(tokens, ["id_token", "refresh_token", "account_id"], place);
  if (typeof tokens.access_token !== "string") {
    throw unreadable(place, "`access_token` is not a string");
  }
  return file as AuthFile;
}

/** Formats a login as other programs expect it in `auth.json`. */
export function writeAuthText(file: AuthFile): string {
  const { auth_mode, OPENAI_API_KEY = null, tokens, last_refresh, ...rest } = file;
  const fields = {
    ...(auth_mode === undefined ? undefined : { auth_mode }),
    OPENAI_API_KEY,
    ...(tokens === undefined ? undefined : { tokens }),
    ...(last_refresh === undefined ? undefined : { last_refresh }),
    ...rest,
  };
  return JSON.stringify(fields, undefined, 2);
}

function checkTexts(object: JsonRecord, names: readonly string[], place: string): void {
  for (const name of names) {
    const value = object[name] ?? "";
    if (typeof value !== "string") throw unreadable(place, `\`${name}\` is not a string`);
  }
}

/** Omits the parser's message, which would quote the file and its secrets. */
function unreadable(place: string, reason: string): CodexError {
  return new CodexError(
    "auth",
    `The login in ${place} cannot be read: ${reason}. Run \`${programName()} logout\` and sign in again.`,
  );
}
