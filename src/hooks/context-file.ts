import { lstat, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { approxTokenCount, truncateWithNotice } from "../exec/index.js";
import { randomUuid } from "../lib/ids.js";
import { usualContextLimit } from "./identity.js";

/**
 * Limits a text for the model. The middle of a longer one is cut out, and a last line names the file
 * that has all of it. A limit of 0 cuts nothing.
 */
export async function limitContext(
  text: string,
  limit: number = usualContextLimit,
  sessionId: string,
): Promise<string> {
  if (limit === 0 || approxTokenCount(text) <= limit) return text;
  const path = await store(text, sessionId).catch(() => undefined);
  const footer = path === undefined ? "" : `\n\nFull hook output saved to: ${path}`;
  const left = Math.max(0, limit - approxTokenCount(footer));
  return `${truncateWithNotice(text, { mode: "tokens", limit: left }, { tokenNotice: true })}${footer}`;
}

async function store(text: string, sessionId: string): Promise<string> {
  const folder = join(await privateFolder(), sessionId);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${randomUuid()}.txt`);
  await writeFile(path, text, { flag: "wx", mode: 0o600 });
  return path;
}

/** Others may write to the temporary folder, so a folder that is not ours alone is not used. */
async function privateFolder(): Promise<string> {
  const usual = join(tmpdir(), "hook_outputs");
  await mkdir(usual, { mode: 0o700 }).catch(() => {});
  const found = await lstat(usual).catch(() => undefined);
  const isOurs =
    found?.isDirectory() === true &&
    (process.getuid === undefined ||
      (found.uid === process.getuid() && (found.mode & 0o022) === 0));
  return isOurs ? usual : mkdtemp(`${usual}-`);
}
