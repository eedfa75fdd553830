import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postDirectly } from "../../src/auth/http.js";
import type { Issuer, LoginParts } from "../../src/auth/index.js";
import { fileStore } from "../../src/auth/store.js";
import type { Clock } from "../../src/lib/clock.js";
import { idToken } from "../support/issuer.js";

/** The time of tests that look at it. */
export const now = Date.parse("2026-02-01T10:00:00.000Z");

/** A home folder of its own; dispose it with `await using`. */
export interface TestHome extends AsyncDisposable {
  home: string;
  path: string;
  /** What is stored, parsed. */
  stored(): Promise<unknown>;
  mode(): Promise<number>;
  write(file: unknown): Promise<void>;
}

/** Makes a home folder, with a login in it where one is given. */
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

/** A ChatGPT login that the fake issuer can renew. */
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

/** A clock on which waiting takes no time but passes it. */
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
      // Others get their turn, as they would while time passes.
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    },
  };
}

/** What logins need, over a real file and a real connection. */
export function partsOf(home: string, issuer: Issuer, clock: Clock): LoginParts {
  return { home, issuer, clock, store: fileStore(home), http: postDirectly };
}
