import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { toImageDataUrl } from "./image-data-url.js";

/** A picture as a data URL, or why it cannot be one, in words that follow a colon. */
export type ReadImage = { url: string; problem?: undefined } | { url?: undefined; problem: string };

/** Reads a picture from disk; a file that is missing, odd or too large is a problem, not a throw. */
export async function readImage(path: string): Promise<ReadImage> {
  try {
    // Not blocking: a named pipe would keep us waiting for a writer that never comes.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return { problem: "it is not a file" };
      if (stats.size > maxImageBytes) return { problem: tooLarge };
      const url = toImageDataUrl(await file.readFile());
      return url === undefined ? { problem: "it is not an image of a known kind" } : { url };
    } finally {
      await file.close();
    }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

const maxImageBytes = 20 * 1024 * 1024;
const tooLarge = `it is larger than ${maxImageBytes / 1024 / 1024} MiB`;
