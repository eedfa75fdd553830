import type { Hash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, open, readlink } from "node:fs/promises";
import type { GitFile } from "./diff/unified-diff.js";

/** A file as git stores it. */
export interface GitBlob {
  mode: GitFile["mode"];
  blobId: string;
  /** The contents; undefined if they exceed the limit. */
  bytes: Buffer | undefined;
}

/** Reads a file or symbolic link; undefined if it does not exist or git does not store its type. */
export async function readGitBlob(path: string, maxBytes: number): Promise<GitBlob | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats?.isSymbolicLink()) {
    const bytes = await readlink(path, "buffer");
    return { mode: "120000", blobId: await blobIdOf(bytes), bytes };
  }
  if (!stats?.isFile()) return undefined;
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  const handle = await open(path, flags).catch(() => undefined);
  if (!handle) return undefined;
  try {
    const mode = stats.mode & 0o111 ? "100755" : "100644";
    return { mode, ...(await readContents(handle, maxBytes)) };
  } finally {
    await handle.close();
  }
}

async function readContents(handle: FileHandle, maxBytes: number) {
  const { size } = await handle.stat();
  const hash = await beginBlob(size);
  const keep = size <= maxBytes;
  const parts: Buffer[] = [];
  if (size > 0) {
    for await (const part of handle.createReadStream({ autoClose: false, end: size - 1 })) {
      hash.update(part as Buffer);
      if (keep) parts.push(part as Buffer);
    }
  }
  return { blobId: hash.digest("hex"), bytes: keep ? Buffer.concat(parts) : undefined };
}

async function blobIdOf(bytes: Buffer): Promise<string> {
  return (await beginBlob(bytes.length)).update(bytes).digest("hex");
}

/** Loads `node:crypto` lazily, because it is slow to load. */
async function beginBlob(size: number): Promise<Hash> {
  const { createHash } = await import("node:crypto");
  return createHash("sha1").update(`blob ${size}\0`);
}

const ALPHABET =
  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
const BYTES_A_LINE = 52;

/** Writes contents as a `literal` block of a git binary patch, which `git apply` reads. */
export async function gitBinaryLiteral(contents: Uint8Array): Promise<string> {
  const { deflateSync } = await import("node:zlib"); // rarely needed
  const packed = deflateSync(contents);
  const lines = [`literal ${contents.length}\n`];
  for (let start = 0; start < packed.length; start += BYTES_A_LINE) {
    const part = packed.subarray(start, start + BYTES_A_LINE);
    lines.push(lengthLetter(part.length), base85(part), "\n");
  }
  lines.push("\n");
  return lines.join("");
}

/** `A` to `Z` for 1 to 26, then `a` to `z`. */
function lengthLetter(length: number): string {
  const code = length <= 26 ? length + 64 : length - 26 + 96;
  return String.fromCharCode(code);
}

function base85(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += 4) {
    let value = 0;
    for (let index = 0; index < 4; index++) value = value * 256 + (bytes[start + index] ?? 0);
    let group = "";
    for (let index = 0; index < 5; index++) {
      group = ALPHABET.charAt(value % 85) + group;
      value = Math.floor(value / 85);
    }
    text += group;
  }
  return text;
}
