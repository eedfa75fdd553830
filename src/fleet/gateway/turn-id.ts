import { createHash } from "node:crypto";
import { randomBytes } from "../../lib/ids.js";
import type { InputItem } from "../../protocol/types.js";

/**
 * Returns the id of the turn that a message starts, which is also the id of its submission.
 *
 * It is the same at every gateway if the client gave the message an id. The same id with other input is another message:
 * some clients count from 1 in every process.
 */
export function turnIdOf(
  threadId: string,
  clientId: string | undefined,
  items: readonly InputItem[],
): string {
  if (clientId === undefined) return toUuid(randomBytes(16));
  const text = JSON.stringify([threadId, clientId, items]);
  return toUuid(createHash("sha256").update(text).digest().subarray(0, 16));
}

/** Returns true for an id that `turnIdOf` has made; other submissions have UUIDs of another version. */
export function isTurnId(id: string): boolean {
  return id.length === 36 && id[14] === "8";
}

/** Formats a UUID of version 8, whose bits have a meaning of the application's own. */
function toUuid(bytes: Buffer): string {
  const hex = Buffer.from(bytes);
  hex[6] = ((hex[6] ?? 0) & 0x0f) | 0x80;
  hex[8] = ((hex[8] ?? 0) & 0x3f) | 0x80;
  return hex.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
