import { randomFillSync } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";

/**
 * Creates a source of version 7 UUIDs, which sort by creation time.
 *
 * Within one millisecond, or if the clock goes back, a counter keeps them increasing.
 */
export function createUuidSource(now: () => number): () => string {
  let lastTime = 0;
  let counter = 0;
  return () => {
    const random = randomBytes(10);
    const time = now();
    if (time > lastTime) {
      lastTime = time;
      counter = ((random[0] ?? 0) << 2) | ((random[1] ?? 0) & 3);
    } else if (++counter > 0xfff) {
      lastTime++;
      counter = 0;
    }
    return format(lastTime, counter, random);
  };
}

/** Returns true for a UUID of any version. */
export function isUuid(text: string): boolean {
  return text.length === 36 && uuidForm.test(text);
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function format(time: number, counter: number, random: Buffer): string {
  const stamp = time.toString(16).padStart(12, "0");
  const count = counter.toString(16).padStart(3, "0");
  const variant = (0x80 | ((random[2] ?? 0) & 0x3f)).toString(16);
  const rest = random.toString("hex", 3, 10);
  return `${stamp.slice(0, 8)}-${stamp.slice(8)}-7${count}-${variant}${rest.slice(0, 2)}-${rest.slice(2, 14)}`;
}

/** Returns a version 4 UUID. */
export function randomUuid(): string {
  const bytes = randomBytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Returns random bytes; the buffer belongs to the caller. */
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

// A system call costs more than everything else here, so random bytes are read in bulk.
const pool = Buffer.alloc(1024);
let used = pool.length;

/** Loading `node:crypto` takes 3 ms of the start; `/dev/urandom` takes 0.2. */
function fill(buffer: Buffer): void {
  try {
    const file = openSync("/dev/urandom", "r");
    try {
      if (readSync(file, buffer, 0, buffer.length, null) === buffer.length) return;
    } finally {
      closeSync(file);
    }
  } catch {
    // Not every system has `/dev/urandom`.
  }
  randomFillSync(buffer);
}
