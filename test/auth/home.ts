import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postDirectly } from "../../src/auth/http.js";
import type { Issuer, LoginParts } from "../../src/auth/index.js";
import { fileStore } from "../../src/auth/store.js";
import type { Clock } from "../../src/lib/clock.js";
import { idToken } from "../support/issuer.js";

/** Fixed time. */
export const now = Date.parse("2026-02-01T10:00:00.000Z");

/** A temporary home; dispose it with `await using`. */
export interface TestHome extends AsyncDisposable {
  home: string;
  path: string;
  /** Parsed contents of `auth.json`. */
  stored(): Promise<unknown>;
  mode(): Promise<number>;
  write(file: unknown): Promise<void>;
}

/** Creates a home, optionally with a login. */
export async function makeHome(file?: unknown): Promise<TestHome> {
  const home = await mkdtemp(join(tmpdir(), "quire-auth-"));
  const path = join(home, "auth.json");
  const write = (value: unknown) => writeFile(path, JSON.stringify(value));
  if (file !== undefined) await write(file);
  return {
    home,
    path,
    write,
    stored: async () => JSON.parse(await readFile(path, "utf8")),
    mode: async () => (await stat(path)).mode & 0o777,
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  };
}

/** A ChatGPT login that the fake issuer can refresh. */
export function chatgptFile(lastRefresh = "2026-01-31T00:00:00.000Z") {
  return {
    OPENAI_API_KEY: null,
    tokens: {
      id_token: idToken,
      access_token: "access-0",
      refresh_token: "refresh-0",
      account_id: "account-1",
    },
    last_refresh: lastRefresh,
  };
}

/** A clock whose `sleep` returns at once and advances the time. */
export function quickClock(start = now): Clock & { waits: number[] } {
  let time = start;
  const waits: number[] = [];
  return {
    waits,
    now: () => time,
    async sleep(ms, signal) {
      signal.throwIfAborted();
      waits.push(ms);
      time += ms;
      // Yields, as a real wait would.
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    },
  };
}

/** Dependencies of a login, with a real file and connection. */
export function partsOf(home: string, issuer: Issuer, clock: Clock): LoginParts {
  return { home, issuer, clock, store: fileStore(home), http: postDirectly };
}
