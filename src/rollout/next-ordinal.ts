import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/**
 * The number of the next line of a rollout, or nothing when its lines have none.
 *
 * Since 0.155 the reference numbers the lines of its files and refuses one whose last line has no
 * number, so whoever adds to a file goes on counting. Lines that cannot be read are passed over, as
 * the reference does; a file that cannot be read has no numbers.
 */
export function nextOrdinal(path: string): number | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    return undefined; // whoever writes to it next is told
  }
  try {
    for (const bytes of linesFromEnd(fd)) {
      const line = parseObject(bytes);
      if (line !== undefined) return isOrdinal(line.ordinal) ? line.ordinal + 1 : undefined;
    }
    return undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}

const pieceBytes = 64 * 1024;
const longestLine = 64 * 1024 * 1024;

function* linesFromEnd(fd: number): Generator<Buffer> {
  let rest = Buffer.alloc(0);
  let begin = fstatSync(fd).size;
  while (begin > 0 && rest.length <= longestLine) {
    // Twice as much each time, so that a long line is not copied again for every piece of it.
    const piece = Buffer.alloc(Math.min(Math.max(pieceBytes, rest.length), begin));
    begin -= piece.length;
    readSync(fd, piece, 0, piece.length, begin);
    rest = Buffer.concat([piece, rest]);
    for (let at = rest.lastIndexOf(0x0a); at >= 0; at = rest.lastIndexOf(0x0a)) {
      yield rest.subarray(at + 1);
      rest = rest.subarray(0, at);
    }
  }
  if (begin === 0) yield rest;
}

function parseObject(bytes: Buffer): { ordinal?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined; // blank, torn or spoiled
  }
}

function isOrdinal(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
