import { createHash } from "node:crypto";
import { errorText } from "../lib/errors.js";
import { realPath } from "../lib/files.js";
import { CodexError } from "../protocol/error.js";
import { parseAuthFile, writeAuthText } from "./auth-file.js";
import type { AuthStore } from "./store.js";

/** The system's safe for passwords. */
export interface Keyring {
  /** The entry of a service and an account in it. */
  entry(service: string, account: string): KeyringEntry;
}

/** One password in the keyring. */
export interface KeyringEntry {
  get(): Promise<string | undefined>;
  set(password: string): Promise<void>;
  /** False when there was none. */
  remove(): Promise<boolean>;
}

const service = "Codex Auth";

/** Keeps the login in the keyring; a copy in the file, left by another program, is taken away. */
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

/** The keyring of this machine, where the package that reaches it is installed. */
export async function importKeyring(): Promise<Keyring | undefined> {
  try {
    // Not a dependency: a name that bundlers cannot see is looked for only when the program runs.
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

/** Every home has an entry of its own, under a name that does not tell where it is. */
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
