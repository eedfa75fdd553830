import { randomFillSync } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";

/** A UUID of version 4, for names that must not meet. */
export function randomUuid(): string {
  const bytes = randomBytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A few random bytes of the system's; they are the caller's alone. */
export function randomBytes(count: number): Buffer {
  if (used + count > pool.length) {
    fill(pool);
    used = 0;
  }
  const bytes = Buffer.from(pool.subarray(used, used + count));
  pool.fill(0, used, used + count);
  used += count;
  return bytes;
}

// Asking the system costs more than all else here, so it is asked for many at once.
const pool = Buffer.alloc(1024);
let used = pool.length;

/** Loading `node:crypto` takes 3 ms, a good part of a start; the system's own file takes 0.2. */
function fill(buffer: Buffer): void {
  try {
    const file = openSync("/dev/urandom", "r");
    try {
      if (readSync(file, buffer, 0, buffer.length, null) === buffer.length) return;
    } finally {
      closeSync(file);
    }
  } catch {
    // Not every system has such a file.
  }
  randomFillSync(buffer);
}
