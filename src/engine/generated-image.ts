import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorText } from "../lib/errors.js";
import type { Task } from "./task.js";

/**
 * Saves a picture of the model in the home, where only the user can read it.
 *
 * Returns its path; undefined if there is no picture. If it cannot be saved, a warning is emitted and the turn continues.
 */
export async function saveGeneratedImage(
  task: Task,
  { id, result }: { id: string; result: string },
): Promise<string | undefined> {
  if (result === "") return undefined;
  const { config, id: threadId } = task.session;
  try {
    const bytes = decode(result);
    const folder = join(config.home, "generated_images", fileName(threadId));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, `${fileName(id)}${extensionOf(bytes)}`);
    // Removed first, so that nothing is written through a link.
    await rm(file, { force: true });
    await writeFile(file, bytes, { flag: "wx", mode: 0o600 });
    return file;
  } catch (error) {
    const message = `The picture ${fileName(id)} was not saved: ${errorText(error)}`;
    task.emit({ type: "warning", message });
    return undefined;
  }
}

function decode(result: string): Buffer {
  if (result.length > mostCharacters) {
    throw new Error(`expected at most ${mostMebibytes} MiB (got ${toMebibytes(result)} MiB)`);
  }
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(result)) {
    const got = JSON.stringify(result.slice(0, 20));
    throw new Error(`expected \`result\` to be base64 (got ${got})`);
  }
  return Buffer.from(result, "base64");
}

/** Returns the ending by the first bytes; servers send PNG unless they are asked for another format. */
function extensionOf(bytes: Buffer): string {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return ".jpg";
  return bytes.subarray(8, 12).toString("latin1") === "WEBP" ? ".webp" : ".png";
}

/** Ids come from the model's server, so they never become other paths. */
function fileName(id: string): string {
  return id.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 100) || "picture";
}

function toMebibytes(base64: string): number {
  return Math.ceil(((base64.length / 4) * 3) / 1024 / 1024);
}

const mostMebibytes = 32;
const mostCharacters = Math.ceil((mostMebibytes * 1024 * 1024) / 3) * 4;
