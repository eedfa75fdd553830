import { join } from "node:path";
import { programName } from "../lib/program-name.js";
import { CodexError } from "../protocol/error.js";
import { homeSecrets } from "../protocol/home-secrets.js";
import { isRecord, type JsonRecord, parseRecord } from "../protocol/read/record.js";

/**
 * What is kept of a login: the contents of `auth.json`.
 *
 * Fields this version does not know stay as they are when the file is written again.
 */
export interface AuthFile {
  /** Which of key and tokens counts; files without it mean the key, if there is one. */
  auth_mode?: string | null;
  OPENAI_API_KEY?: string | null;
  tokens?: StoredTokens | null;
  /** When the tokens were given or renewed, in the form of RFC 3339. */
  last_refresh?: string | null;
  [field: string]: unknown;
}

/** The tokens of a ChatGPT login. */
export interface StoredTokens {
  /** Says who signed in; see `readClaims`. */
  id_token?: string;
  access_token: string;
  refresh_token?: string;
  account_id?: string | null;
  [field: string]: unknown;
}

/** Where the login of a home is kept. */
export function authFilePath(home: string): string {
  return join(home, homeSecrets.login);
}

/**
 * Reads the text of a login.
 *
 * Throws a `CodexError` that says which field is wrong and never what stands in it.
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

/** The text of a login as other programs expect it in `auth.json`. */
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

/** The parser's own message would quote the file, and with it what is secret. */
function unreadable(place: string, reason: string): CodexError {
  return new CodexError(
    "auth",
    `The login in ${place} cannot be read: ${reason}. Run \`${programName()} logout\` and sign in again.`,
  );
}
