import { type AuthFile, authFilePath, parseAuthFile, writeAuthText } from "./auth-file.js";
import { importKeyring, type Keyring, keyringStore } from "./keyring.js";
import { readSecretFile, removeSecretFile, writeSecretFile } from "./secret-file.js";

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
