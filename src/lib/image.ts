import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { errorText } from "./errors.js";
import type { MayRead } from "./files.js";

/** An image as a data URL, or the reason it cannot be one, worded to follow a colon. */
type ReadImage =
  | { url: string; problem?: undefined }
  /** `foreign`: the file was read and is not a supported image. */
  | { url?: undefined; problem: string; foreign?: true };

/** Reads an image from disk. Never throws: a missing, special or too large file is a problem. */
export async function readImage(path: string, mayRead?: MayRead): Promise<ReadImage> {
  try {
    // Non-blocking: opening a named pipe would otherwise wait for a writer.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (mayRead?.(path, file.fd) === false) return { problem: deniedImage };
      const stats = await file.stat();
      if (!stats.isFile()) return { problem: "it is not a file" };
      const bytes = stats.size > maxImageBytes ? undefined : await readAtMost(file, stats.size);
      if (bytes === undefined) return { problem: tooLarge };
      const url = toImageDataUrl(bytes);
      if (url !== undefined) return { url };
      return { problem: "it is not a supported image", foreign: true };
    } finally {
      await file.close();
    }
  } catch (error) {
    return { problem: errorText(error) };
  }
}

/** Problem of a file that permission rules deny. */
export const deniedImage = "Permission denied (os error 13)";

/** Reads to the end, since special files report no size; returns `undefined` past the limit. */
async function readAtMost(file: FileHandle, size: number): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  while (length <= maxImageBytes) {
    const room = Buffer.allocUnsafe(Math.max(size - length, 0) + spareBytes);
    const { bytesRead } = await file.read(room, 0, room.length, null);
    if (bytesRead === 0) return Buffer.concat(parts, length);
    parts.push(room.subarray(0, bytesRead));
    length += bytesRead;
  }
  return undefined;
}

const spareBytes = 64 * 1024;
const maxImageBytes = 20 * 1024 * 1024;
const tooLarge = `it is larger than ${maxImageBytes / 1024 / 1024} MiB`;

/** Returns an image as a data URL, or `undefined` if the bytes are not a supported image. */
export function toImageDataUrl(bytes: Buffer): string | undefined {
  const type = imageType(bytes);
  return type === undefined ? undefined : `data:${type};base64,${bytes.toString("base64")}`;
}

/** Detects the type by the first bytes: file names are not reliable. */
function imageType(bytes: Uint8Array): string | undefined {
  return signatures.find(({ at, text }) => startsWith(bytes, at, text))?.type;
}

const signatures = [
  { type: "image/png", at: 0, text: "\x89PNG\r\n\x1a\n" },
  { type: "image/jpeg", at: 0, text: "\xff\xd8\xff" },
  { type: "image/gif", at: 0, text: "GIF87a" },
  { type: "image/gif", at: 0, text: "GIF89a" },
  { type: "image/webp", at: 8, text: "WEBP" },
  { type: "image/bmp", at: 0, text: "BM" },
];

function startsWith(bytes: Uint8Array, at: number, text: string): boolean {
  if (bytes.length < at + text.length) return false;
  for (let i = 0; i < text.length; i++) {
    if (bytes[at + i] !== text.charCodeAt(i)) return false;
  }
  return true;
}
