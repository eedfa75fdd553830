import { createHash, randomInt } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Result of presenting a code. */
export type PairingResult = "accepted" | "wrong" | "exhausted";

/**
 * Pairing codes, one empty file each, named by the SHA-256 of the code.
 *
 * A file can be removed once, so a code works once, whichever process created it. A code has 60
 * random bits, so its hash does not reveal it while it is valid.
 */
export class PairingCodes {
  #folder: string;
  #now: () => number;
  #wrong = 0;
  /** Time of the newest code that was seen; wrong codes are counted from there on. */
  #newest = 0;

  constructor(store: string, now: () => number = Date.now) {
    this.#folder = join(store, "codes");
    this.#now = now;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
  }

  /** Creates a code that works once, for ten minutes. */
  create(): string {
    const code = Array.from({ length: 12 }, () => alphabet[randomInt(alphabet.length)]).join("");
    writeFileSync(this.#fileOf(code), "", { mode: 0o600, flag: "wx" });
    return code;
  }

  /** Uses a code up. After 20 wrong ones all codes are void, until a new one is created. */
  redeem(presented: string): PairingResult {
    const newest = this.#removeExpired();
    const isVoid = this.#wrong >= maxWrong;
    // Void codes are removed, so one that is left is new even where times are coarse.
    if (newest > this.#newest || (isVoid && newest > 0)) {
      this.#newest = newest;
      this.#wrong = 0;
    }
    if (this.#wrong >= maxWrong) return "exhausted";
    if (this.#take(presented)) return "accepted";
    this.#wrong++;
    if (this.#wrong >= maxWrong) this.#voidAll();
    return "wrong";
  }

  #take(presented: string): boolean {
    try {
      unlinkSync(this.#fileOf(presented.trim().toUpperCase()));
      return true;
    } catch {
      return false;
    }
  }

  /** Returns the time of the newest code that is left; 0 if there is none. */
  #removeExpired(): number {
    const oldest = this.#now() - validMs;
    let newest = 0;
    for (const name of readdirSync(this.#folder)) {
      const file = join(this.#folder, name);
      const created = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
      if (created === undefined || created < oldest) rmSync(file, { force: true });
      else newest = Math.max(newest, created);
    }
    return newest;
  }

  #voidAll(): void {
    for (const name of readdirSync(this.#folder)) rmSync(join(this.#folder, name), { force: true });
  }

  #fileOf(code: string): string {
    return join(this.#folder, createHash("sha256").update(code).digest("hex"));
  }
}

/** Without letters and digits that look alike. */
const alphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const validMs = 10 * 60_000;
const maxWrong = 20;
