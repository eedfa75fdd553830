import { readFileSync, rmSync } from "node:fs";
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Bytes and number of the stored contents. */
export interface StoreUsage {
  blobs: number;
  bytes: number;
}

interface Blob {
  path: string;
  bytes: number;
  usedAtMs: number;
}

/** Measures the store below a folder `checkpoints`. */
export async function measureStore(storeFolder: string): Promise<StoreUsage> {
  const usage = { blobs: 0, bytes: 0 };
  for await (const { bytes } of walkBlobs(storeFolder)) {
    usage.blobs++;
    usage.bytes += bytes;
  }
  return usage;
}

/**
 * Removes the contents used least recently until at most `maxBytes` are left, but none used since
 * `keptSinceMs`; returns what was removed.
 */
export async function pruneStore(
  storeFolder: string,
  maxBytes: number,
  keptSinceMs = Number.POSITIVE_INFINITY,
): Promise<StoreUsage> {
  return removeOldest(
    storeFolder,
    ({ usedAtMs }, bytesLeft) => bytesLeft > maxBytes && usedAtMs < keptSinceMs - clockTickMs,
  );
}

/** Time stamps of files are taken from a clock that is up to a tick behind. */
const clockTickMs = 20;

/** Removes the contents that were last used before a time; returns what was removed. */
export async function pruneUnused(storeFolder: string, beforeMs: number): Promise<StoreUsage> {
  return removeOldest(storeFolder, ({ usedAtMs }) => usedAtMs < beforeMs);
}

async function removeOldest(
  storeFolder: string,
  isRemoved: (blob: Blob, bytesLeft: number) => boolean,
): Promise<StoreUsage> {
  const blobs: Blob[] = [];
  let bytes = 0;
  for await (const blob of walkBlobs(storeFolder)) {
    blobs.push(blob);
    bytes += blob.bytes;
  }
  blobs.sort((a, b) => a.usedAtMs - b.usedAtMs);
  const removed = { blobs: 0, bytes: 0 };
  for (const blob of blobs) {
    if (!isRemoved(blob, bytes)) break;
    // Before the first removal, so that no process relies on contents that are gone.
    if (removed.blobs === 0) await startGeneration(storeFolder);
    await rm(blob.path, { force: true });
    bytes -= blob.bytes;
    removed.blobs++;
    removed.bytes += blob.bytes;
  }
  if (blobs.length > 0) await writeFile(join(storeFolder, "size"), String(bytes), { mode: 0o600 });
  return removed;
}

/**
 * Adds to the size of the store; prunes it if the quota is exceeded.
 *
 * What the turn that began at `keptSinceMs` has used stays, even if it exceeds the quota alone.
 */
export async function addToStore(
  storeFolder: string,
  added: number,
  maxBytes: number,
  keptSinceMs?: number,
): Promise<void> {
  const known = Number(readText(join(storeFolder, "size")) || Number.NaN);
  const total = known + added;
  // Without a known size everything is measured once.
  if (Number.isNaN(total) || total > maxBytes) {
    await pruneStore(storeFolder, target(maxBytes), keptSinceMs);
  } else await writeFile(join(storeFolder, "size"), String(total), { mode: 0o600 });
}

/** Room for some turns, so that not each of them prunes. */
function target(maxBytes: number): number {
  return Math.floor(maxBytes * 0.9);
}

/** Identifies the removals so far; what a process knows of the store is valid for one of them. */
export function generationOf(storeFolder: string): string {
  return readText(join(storeFolder, "generation"));
}

async function startGeneration(storeFolder: string): Promise<void> {
  await mkdir(storeFolder, { recursive: true, mode: 0o700 });
  await writeFile(join(storeFolder, "generation"), `${Date.now()}-${process.pid}`, { mode: 0o600 });
  rmSync(join(storeFolder, "roots"), { recursive: true, force: true });
}

async function* walkBlobs(storeFolder: string): AsyncGenerator<Blob> {
  const root = join(storeFolder, "blobs");
  for (const folder of await readdir(root).catch(() => [])) {
    for (const name of await readdir(join(root, folder)).catch(() => [])) {
      const path = join(root, folder, name);
      const stats = await stat(path).catch(() => undefined);
      if (stats?.isFile()) yield { path, bytes: stats.size, usedAtMs: stats.mtimeMs };
    }
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "";
  }
}
