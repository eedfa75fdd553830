import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A browser or program that was paired. */
export interface Device {
  id: string;
  name: string;
  /** Time of the pairing, ISO 8601. */
  created: string;
  /** Time of the last connection, ISO 8601. */
  lastSeen: string;
}

/**
 * Paired devices, one file of mode 0600 each.
 *
 * A file contains the SHA-256 of the device's secret, never the secret. Removing the file revokes
 * the device, from any process; its modification time is the time of the last connection.
 */
export class Devices {
  readonly folder: string;

  constructor(store: string) {
    this.folder = join(store, "devices");
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
  }

  /** Adds a device; returns its secret, which is not stored. */
  async add(name: string): Promise<string> {
    const secret = randomBytes(32).toString("base64url");
    const hash = hashOf(secret);
    const record: StoredDevice = { name, created: new Date().toISOString(), hash };
    const text = `${JSON.stringify(record)}\n`;
    await writeFile(this.#fileOf(idOf(hash)), text, { mode: 0o600, flag: "wx" });
    return secret;
  }

  /** Returns the id of the device with a secret; undefined if there is none. */
  find(secret: string): string | undefined {
    const hash = hashOf(secret);
    const id = idOf(hash);
    const stored = this.#read(id);
    if (stored === undefined) return undefined;
    return timingSafeEqual(Buffer.from(stored.hash, "hex"), Buffer.from(hash, "hex"))
      ? id
      : undefined;
  }

  has(id: string): boolean {
    return this.#read(id) !== undefined;
  }

  /** Records that a device is connected. */
  touch(id: string): void {
    const now = new Date();
    try {
      utimesSync(this.#fileOf(id), now, now);
    } catch {
      // Revoked in the meantime.
    }
  }

  /** Returns all devices, the one seen last first. */
  list(): Device[] {
    const ids = readdirSync(this.folder).flatMap(
      (file) => /^([0-9a-f]{16})\.json$/.exec(file)?.[1],
    );
    const devices = ids.flatMap((id) => (id === undefined ? [] : (this.#device(id) ?? [])));
    return devices.toSorted((one, other) => other.lastSeen.localeCompare(one.lastSeen));
  }

  /** Removes a device; returns false if there is none with this id. */
  revoke(id: string): boolean {
    if (!this.has(id)) return false;
    rmSync(this.#fileOf(id), { force: true });
    return true;
  }

  /** Returns a device by its id. */
  #device(id: string): Device | undefined {
    const stored = this.#read(id);
    const seen = statSync(this.#fileOf(id), { throwIfNoEntry: false });
    if (stored === undefined || seen === undefined) return undefined;
    const { name, created } = stored;
    return { id, name, created, lastSeen: seen.mtime.toISOString() };
  }

  #read(id: string): StoredDevice | undefined {
    if (!/^[0-9a-f]{16}$/.test(id)) return undefined;
    try {
      const stored: StoredDevice = JSON.parse(readFileSync(this.#fileOf(id), "utf8"));
      return /^[0-9a-f]{64}$/.test(stored.hash) ? stored : undefined;
    } catch {
      return undefined;
    }
  }

  #fileOf(id: string): string {
    return join(this.folder, `${id}.json`);
  }
}

interface StoredDevice {
  name: string;
  created: string;
  hash: string;
}

function idOf(hash: string): string {
  return hash.slice(0, 16);
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
