import { mkdir, readFile, stat, unlink } from "node:fs/promises";
import { errorCode, errorText } from "../lib/errors.js";
import { withFileLock } from "../lib/file-lock.js";
import { followLinks, replaceFile } from "../lib/replace-file.js";
import { CodexError } from "../protocol/error.js";
import { type AuthFile, authFilePath, parseAuthFile, writeAuthText } from "./auth-file.js";
import { importKeyring, type Keyring, keyringStore } from "./keyring.js";

/** Persistent storage of the login. */
export interface AuthStore {
  /** Resolves with undefined if signed out. */
  read(): Promise<AuthFile | undefined>;
  write(file: AuthFile): Promise<void>;
  /** Resolves with false if there was none. */
  remove(): Promise<boolean>;
}

/** Values of the config key `cli_auth_credentials_store`. */
export type AuthStoreMode = "file" | "keyring" | "auto" | "ephemeral";

/** Options for opening a store. */
export interface AuthStoreOptions {
  home: string;
  mode?: AuthStoreMode | undefined;
  /** Returns the system's keyring, if any; called only if the mode needs it. */
  loadKeyring?: () => Promise<Keyring | undefined>;
}

/**
 * Opens the store selected by the config.
 *
 * `auto` uses the keyring if it works, and otherwise the file. `ephemeral` stores the login in this
 * object only. Throws for `keyring` if there is none.
 */
export async function openAuthStore(options: AuthStoreOptions): Promise<AuthStore> {
  const { home, mode = "file", loadKeyring = importKeyring } = options;
  const file = fileStore(home);
  switch (mode) {
    case "file":
      return file;
    case "ephemeral":
      return memoryStore();
    case "keyring":
      return keyringStore(home, file, await loadKeyring());
    case "auto": {
      const keyring = await loadKeyring();
      return keyring === undefined ? file : firstThatWorks(keyringStore(home, file, keyring), file);
    }
  }
}

/** Stores the login in `auth.json`. */
export function fileStore(home: string): AuthStore {
  const path = authFilePath(home);
  return {
    async read() {
      const text = await readSecretFile(path);
      return text === undefined ? undefined : parseAuthFile(text, path);
    },
    write: (file) => writeSecretFile(path, writeAuthText(file)),
    remove: () => removeSecretFile(path),
  };
}

/** Stores the login in memory. */
function memoryStore(): AuthStore {
  let kept: AuthFile | undefined;
  return {
    read: async () => kept,
    async write(file) {
      kept = file;
    },
    async remove() {
      const removed = kept !== undefined;
      kept = undefined;
      return removed;
    },
  };
}

/** A keyring can be installed but locked, or without a service. */
function firstThatWorks(keyring: AuthStore, file: AuthStore): AuthStore {
  return {
    async read() {
      const found = await keyring.read().catch(() => undefined);
      return found ?? (await file.read());
    },
    write: (login) => keyring.write(login).catch(() => file.write(login)),
    remove: () => keyring.remove().catch(() => file.remove()),
  };
}

/** Larger than any login. */
const largestSecret = 1024 * 1024;

/** Reads a small file; undefined if it does not exist. */
async function readSecretFile(path: string): Promise<string | undefined> {
  try {
    const { size } = await expectFile(path);
    if (size > largestSecret) throw new Error(`it is too large for a login (${size} bytes)`);
    return await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw failed("read", path, error);
  }
}

/**
 * Replaces a file atomically, readable by its owner only.
 *
 * A link is followed and its target replaced. A failure leaves the old file.
 */
async function writeSecretFile(path: string, text: string): Promise<void> {
  try {
    const target = await followLinks(path);
    await expectFile(target).catch(unlessMissing);
    await replaceFile(target, text, { mode: 0o600 });
  } catch (error) {
    throw failed("write", path, error);
  }
}

/** Deletes the file or link; resolves with false if it does not exist. */
async function removeSecretFile(path: string): Promise<boolean> {
  try {
    await unlink(path);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw failed("remove", path, error);
  }
}

/** Reading a pipe would never end, and a device must not be replaced. */
async function expectFile(path: string): Promise<{ size: number }> {
  const stats = await stat(path);
  if (!stats.isFile()) throw new Error("it is not a regular file");
  return stats;
}

function unlessMissing(error: unknown): void {
  if (errorCode(error) !== "ENOENT") throw error;
}

function failed(verb: string, path: string, cause: unknown): CodexError {
  const reason = errorText(cause);
  return new CodexError("io", `Could not ${verb} ${path}: ${reason}`, { cause });
}

/** Longer than a refresh, which may take a minute. */
const patience = { sameHolderMs: 75_000, totalMs: 150_000 };

/**
 * Runs `run` while no other process signs in, signs out or refreshes tokens for this home.
 *
 * Otherwise two sessions would use the same refresh token, and a pending refresh could restore a
 * login that the user has just deleted. Throws before `run` if the lock cannot be acquired.
 */
export async function withAuthLock<T>(home: string, run: () => Promise<T>): Promise<T> {
  let locked = false;
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    return await withFileLock(`${authFilePath(home)}.lock`, patience, () => {
      locked = true;
      return run();
    });
  } catch (cause) {
    if (locked) throw cause;
    const reason = errorText(cause);
    throw new CodexError("io", `The login in ${home} cannot be locked: ${reason}`, { cause });
  }
}
