import { constants } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Adds text to a small file that several processes add lines to.
 *
 * It goes out in one write at the end of the file, so lines of others are never cut; a last line that
 * someone left torn is ended first. Throws when the file cannot be written.
 */
export async function appendLines(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const file = await open(path, O_RDWR | O_APPEND | O_CREAT | (O_NOFOLLOW ?? 0), 0o600);
  try {
    const bytes = Buffer.from((await isTorn(file)) ? `\n${text}` : text);
    const { bytesWritten } = await file.write(bytes);
    if (bytesWritten < bytes.length) await file.write(bytes, bytesWritten);
  } finally {
    await file.close();
  }
}

async function isTorn(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { bytesRead, buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 && buffer[0] !== 0x0a;
}
