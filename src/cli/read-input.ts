import { UsageError } from "./usage-error.js";

/** Reads standard input to its end; refuses more than `limit` bytes, which is no honest input. */
export async function readInput(
  stdin: AsyncIterable<string | Uint8Array>,
  limit: number,
): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of stdin) {
    const bytes = Buffer.from(part);
    length += bytes.length;
    if (length > limit)
      throw new UsageError(`There are more than ${limit} bytes on standard input`);
    parts.push(bytes);
  }
  return Buffer.concat(parts, length).toString("utf8");
}
