import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CodexError } from "../../protocol/error.js";

/**
 * Replaces the text of a file by what `change` makes of it, so that no reader ever sees half of it
 * and a second writer waits for the first.
 *
 * Missing directories are made. When `change` returns nothing the file is left alone. Throws when
 * another writer holds the lock for five seconds.
 */
export async function changeFile(
  path: string,
  change: (text: string) => string | undefined,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const target = await realpath(path).catch(() => path); // a link stays a link
  const lock = `${target}.lock`;
  await takeLock(lock);
  try {
    const text = await readText(target);
    const changed = change(text);
    if (changed !== undefined) await replaceFile(target, changed);
  } finally {
    await rm(lock, { force: true });
  }
}

async function takeLock(lock: string): Promise<void> {
  const deadline = Date.now() + 5_000;
  for (;;) {
    try {
      await writeFile(lock, `${process.pid}\n`, { flag: "wx", mode: 0o600 });
      return;
    } catch (error) {
      if (!isCode(error, "EEXIST")) throw error;
    }
    await removeIfAbandoned(lock);
    if (Date.now() > deadline) {
      throw new CodexError("io", `Another program is writing; if none is, delete ${lock}`);
    }
    await sleep(20);
  }
}

/** A lock is abandoned when its process is gone, or when it never got to write its number. */
async function removeIfAbandoned(lock: string): Promise<void> {
  const [text, info] = await Promise.all([
    readFile(lock, "utf8").catch(() => undefined),
    stat(lock).catch(() => undefined),
  ]);
  if (text === undefined || info === undefined) return;
  const pid = Number.parseInt(text, 10);
  const abandoned = Number.isNaN(pid) ? Date.now() - info.mtimeMs > 1_000 : !isAlive(pid);
  if (!abandoned) return;
  // Renaming first lets exactly one of several waiting writers remove it.
  const aside = `${lock}.${randomUUID()}`;
  await rename(lock, aside).catch(() => undefined);
  await rm(aside, { force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isCode(error, "EPERM");
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT")) return "";
    throw error;
  }
}

async function replaceFile(path: string, text: string): Promise<void> {
  const mode = await stat(path).then(
    (info) => info.mode & 0o777,
    () => 0o600,
  );
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    const file = await open(draft, "wx", mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
