import { randomBytes } from "./random.js";

/**
 * Makes UUIDs of version 7: they sort by the time they were made.
 *
 * Within one millisecond, or when the clock goes back, a counter keeps them rising.
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

/** Whether a text is a UUID, of whatever version. */
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
