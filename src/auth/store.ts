import { mkdir, readFile, stat, unlink } from "node:fs/promises";
import { errorCode, errorText } from "../lib/errors.js";
import { withFileLock } from "../lib/file-lock.js";
import { followLinks, replaceFile } from "../lib/replace-file.js";
import { CodexError } from "../protocol/error.js";
import { type AuthFile, authFilePath, parseAuthFile, writeAuthText } from "./auth-file.js";
import { importKeyring, type Keyring, keyringStore } from "./keyring.js";

/** Where a login is kept between runs. */
export interface AuthStore {
  /** Nothing when nobody is signed in. */
  read(): Promise<AuthFile | undefined>;
  write(file: AuthFile): Promise<void>;
  /** False when there was nothing to remove. */
  remove(): Promise<boolean>;
}

/** The values of `cli_auth_credentials_store` in the config. */
export type AuthStoreMode = "file" | "keyring" | "auto" | "ephemeral";

/** Which store a program is to use. */
export interface AuthStoreOptions {
  home: string;
  mode?: AuthStoreMode | undefined;
  /** The system's keyring, or nothing where there is none; asked for only when the mode needs it. */
  loadKeyring?: () => Promise<Keyring | undefined>;
}

/**
 * Opens the store that the config asks for.
 *
 * `auto` uses the keyring where one works and the file otherwise. `ephemeral` keeps the login in
 * this object alone. Throws for `keyring` when there is none.
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

/** Keeps the login in `auth.json`. */
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

/** Keeps the login as long as the program runs. */
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

/** A keyring can be installed and yet locked or without a service behind it. */
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

/** No login comes near this. */
const largestSecret = 1024 * 1024;

/** Reads a small file; nothing when there is none. */
async function readSecretFile(path: string): Promise<string | undefined> {
  try {
    const { size } = await expectFile(path);
    if (size > largestSecret) throw new Error(`it has ${size} bytes, which no login has`);
    return await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw failed("read", path, error);
  }
}

/**
 * Puts a text in place of a file in one step, for its owner alone.
 *
 * A link stays a link: what it points to is replaced. A failure leaves the old file.
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

/** Removes the file or link; false when there was none. */
async function removeSecretFile(path: string): Promise<boolean> {
  try {
    await unlink(path);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw failed("remove", path, error);
  }
}

/** A pipe would never end, and a device must not be replaced. */
async function expectFile(path: string): Promise<{ size: number }> {
  const stats = await stat(path);
  if (!stats.isFile()) throw new Error("it is not a file");
  return stats;
}

function unlessMissing(error: unknown): void {
  if (errorCode(error) !== "ENOENT") throw error;
}

function failed(verb: string, path: string, cause: unknown): CodexError {
  const reason = errorText(cause);
  return new CodexError("io", `Could not ${verb} ${path}: ${reason}`, { cause });
}

/** A renewal may take a minute; whoever waits for it must be more patient than that. */
const patience = { sameHolderMs: 75_000, totalMs: 150_000 };

/**
 * Runs something while no other process signs in, signs out or renews tokens for this home.
 *
 * Without it two sessions would spend the same refresh token, and a renewal under way could bring
 * back a login that the user has just removed. Throws, before anything is done, when the lock
 * cannot be had: then nothing could be stored either.
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
