import { fstatSync, statSync } from "node:fs";
import { Readable } from "node:stream";

/** Whether there is nothing on standard input, as scripts and CI say by `/dev/null`. */
export function isInputEmpty(): boolean {
  try {
    const input = fstatSync(0);
    return input.isCharacterDevice() && input.rdev === statSync("/dev/null").rdev;
  } catch {
    return false; // it is closed, or there is no such device here
  }
}

/** That input: Node's own stream of it takes longer to make than all else before a command runs. */
export function emptyInput(): NodeJS.ReadStream {
  const stream = new Readable({
    read() {
      this.push(null);
    },
  });
  return Object.assign(stream, { fd: 0, isTTY: false }) as unknown as NodeJS.ReadStream;
}
