import { createHash } from "node:crypto";
import { errorText } from "../lib/errors.js";
import { realPath } from "../lib/files.js";
import { CodexError } from "../protocol/error.js";
import { parseAuthFile, writeAuthText } from "./auth-file.js";
import type { AuthStore } from "./store.js";

/** The system's credential store. */
export interface Keyring {
  /** Returns the entry of a service and account. */
  entry(service: string, account: string): KeyringEntry;
}

/** One password in the keyring. */
export interface KeyringEntry {
  get(): Promise<string | undefined>;
  set(password: string): Promise<void>;
  /** Resolves with false if there was none. */
  remove(): Promise<boolean>;
}

const service = "Codex Auth";

/** Stores the login in the keyring and removes any copy in the file. */
export function keyringStore(
  home: string,
  file: AuthStore,
  keyring: Keyring | undefined,
): AuthStore {
  if (keyring === undefined) throw noKeyring();
  const entry = keyring.entry(service, accountOf(home));
  const place = "the system's keyring";
  return {
    async read() {
      const text = await entry.get().catch((cause) => broken("read from", cause));
      return text === undefined ? undefined : parseAuthFile(text, place);
    },
    async write(login) {
      await entry.set(writeAuthText(login)).catch((cause) => broken("write to", cause));
      await file.remove();
    },
    async remove() {
      const inKeyring = await entry.remove().catch((cause) => broken("remove from", cause));
      const inFile = await file.remove();
      return inKeyring || inFile;
    },
  };
}

/** Returns the system's keyring if its package is installed. */
export async function importKeyring(): Promise<Keyring | undefined> {
  try {
    // An optional package: bundlers must not resolve the name, so it is imported at run time.
    const name = "@napi-rs/keyring";
    const { AsyncEntry } = (await import(/* webpackIgnore: true */ /* @vite-ignore */ name)) as {
      AsyncEntry: AsyncEntryClass;
    };
    return { entry: (...place) => toEntry(new AsyncEntry(...place)) };
  } catch {
    return undefined;
  }
}

type AsyncEntryClass = new (service: string, account: string) => AsyncEntry;

interface AsyncEntry {
  getPassword(): Promise<string | null | undefined>;
  setPassword(password: string): Promise<void>;
  deleteCredential(): Promise<boolean>;
}

function toEntry(entry: AsyncEntry): KeyringEntry {
  return {
    get: async () => (await entry.getPassword()) ?? undefined,
    set: (password) => entry.setPassword(password),
    remove: () => entry.deleteCredential(),
  };
}

/** Returns the account of a home: a hash, so that the name does not reveal the path. */
function accountOf(home: string): string {
  const hash = createHash("sha256").update(realPath(home)).digest("hex");
  return `cli|${hash.slice(0, 16)}`;
}

function noKeyring(): CodexError {
  return new CodexError(
    "auth",
    'cli_auth_credentials_store is "keyring", but the package @napi-rs/keyring is not installed. ' +
      'Install it beside quire, or set cli_auth_credentials_store = "file" in config.toml.',
  );
}

function broken(verb: string, cause: unknown): never {
  const reason = errorText(cause);
  const message = `Could not ${verb} the system's keyring: ${reason}`;
  throw new CodexError("auth", message, { cause });
}
