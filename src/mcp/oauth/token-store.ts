import { createHash, randomUUID } from "node:crypto";
import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { withFileLock } from "../../lib/file-lock.js";
import { homeSecrets } from "../../protocol/home-secrets.js";

/** A login to a server: what we may show it, and how to get more when that is used up. */
export interface StoredLogin {
  server: string;
  url: string;
  /** The authorization server that gave the tokens; they are shown to no other. */
  issuer: string;
  client_id: string;
  client_secret?: string;
  token_endpoint_auth_method?: string;
  /** The resource that the tokens are for, as the authorization server knows it. */
  resource?: string;
  scope?: string;
  access_token: string;
  refresh_token?: string;
  /** Milliseconds since 1970; absent when the server does not say. */
  expires_at?: number;
}

/** Which login is meant: a server of another address is another server. */
export interface LoginKey {
  server: string;
  url: string;
}

/** Keeps logins. What it holds is never written to logs or messages. */
export interface TokenStore {
  read(key: LoginKey): Promise<StoredLogin | undefined>;
  write(login: StoredLogin): Promise<void>;
  /** Whether there was one. */
  remove(key: LoginKey): Promise<boolean>;
  /** Runs something while no other process changes this login: a refresh token works only once. */
  exclusively<T>(key: LoginKey, run: () => Promise<T>): Promise<T>;
}

/** The store of a user, in their home. */
export function userTokenStore(home: string): TokenStore {
  return fileTokenStore(join(home, homeSecrets.mcpLogins));
}

/** Keeps logins as files that only the user can read, one a server. */
export function fileTokenStore(folder: string): TokenStore {
  const fileOf = (key: LoginKey) => join(folder, fileName(key));
  return {
    async read(key) {
      const text = await readFile(fileOf(key), "utf8").catch(() => undefined);
      return text === undefined ? undefined : parseLogin(text, key);
    },
    async write(login) {
      await makeFolder(folder);
      const temporary = `${fileOf(login)}.${randomUUID()}`;
      await writeFile(temporary, `${JSON.stringify(login, null, 2)}\n`, {
        mode: 0o600,
        flag: "wx",
      });
      await rename(temporary, fileOf(login));
    },
    async remove(key) {
      return rm(fileOf(key)).then(
        () => true,
        () => false,
      );
    },
    async exclusively(key, run) {
      await makeFolder(folder);
      return withFileLock(`${fileOf(key)}.lock`, lockPatience, run);
    },
  };
}

/** A refresh may take a while on a slow network. */
const lockPatience = { sameHolderMs: 30_000, totalMs: 60_000 };

async function makeFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (made === undefined) await chmod(folder, 0o700);
}

function fileName({ server, url }: LoginKey): string {
  const hash = createHash("sha256").update(url).digest("hex").slice(0, 16);
  return `${server.replace(/[^a-zA-Z0-9_-]/g, "_")}-${hash}.json`;
}

/** A file that someone else has changed into something else counts as no login. */
function parseLogin(text: string, { server, url }: LoginKey): StoredLogin | undefined {
  let login: Partial<Record<keyof StoredLogin, unknown>> | null;
  try {
    login = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof login !== "object" || login === null) return undefined;
  if (login.server !== server || login.url !== url) return undefined;
  const texts = [login.issuer, login.client_id, login.access_token];
  return texts.every((value) => typeof value === "string") ? (login as StoredLogin) : undefined;
}

/** What of a login does not come with its tokens. */
type LoginBase = Omit<StoredLogin, "access_token" | "expires_at">;

/** The login with the tokens that an authorization server has just given. */
export function toLogin(base: LoginBase, tokens: OAuthTokens, now: number): StoredLogin {
  const { access_token, refresh_token = base.refresh_token, scope = base.scope } = tokens;
  const { expires_in: seconds } = tokens;
  return {
    ...withoutTokens(base),
    access_token,
    ...(refresh_token === undefined ? {} : { refresh_token }),
    ...(scope === undefined ? {} : { scope }),
    ...(seconds === undefined ? {} : { expires_at: now + seconds * 1000 }),
  };
}

/** A login that is renewed has old tokens, and an old end of theirs, in it. */
function withoutTokens(base: LoginBase & Partial<StoredLogin>): LoginBase {
  const { access_token: _token, expires_at: _end, ...rest } = base;
  return rest;
}
