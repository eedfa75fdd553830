import { createHash, randomUUID } from "node:crypto";
import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { withFileLock } from "../../lib/file-lock.js";
import { homeSecrets } from "../../protocol/home-secrets.js";

/** A stored login: tokens of a server, and the client they were issued to. */
export interface StoredLogin {
  server: string;
  url: string;
  /** Authorization server that issued the tokens; they are sent to no other. */
  issuer: string;
  client_id: string;
  client_secret?: string;
  token_endpoint_auth_method?: string;
  /** Resource indicator of the tokens. */
  resource?: string;
  scope?: string;
  access_token: string;
  refresh_token?: string;
  /** Milliseconds since 1970; undefined if the server did not send it. */
  expires_at?: number;
}

/** Identifies a login: the same name at another URL is another server. */
export interface LoginKey {
  server: string;
  url: string;
}

/** Stores logins. Their contents never appear in logs or messages. */
export interface TokenStore {
  read(key: LoginKey): Promise<StoredLogin | undefined>;
  write(login: StoredLogin): Promise<void>;
  /** Returns false if there was none. */
  remove(key: LoginKey): Promise<boolean>;
  /**
   * Runs `run` while no other process changes this login: a refresh token can be used only once.
   */
  exclusively<T>(key: LoginKey, run: () => Promise<T>): Promise<T>;
}

/** Returns the token store in the user's home. */
export function userTokenStore(home: string): TokenStore {
  return fileTokenStore(join(home, homeSecrets.mcpLogins));
}

/** Stores each login as a file that only the user can read. */
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

/** A file with other contents counts as no login. */
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

/** A login without its tokens. */
type LoginBase = Omit<StoredLogin, "access_token" | "expires_at">;

/** Merges new tokens into a login. */
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

/** Drops the previous token and its expiry. */
function withoutTokens(base: LoginBase & Partial<StoredLogin>): LoginBase {
  const { access_token: _token, expires_at: _end, ...rest } = base;
  return rest;
}
