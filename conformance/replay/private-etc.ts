import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Lays the folder `$0` over `/etc` and starts the command in its place. */
const OVERLAY = 'mount -t overlay overlay -o "lowerdir=$0:/etc" /etc && exec "$@"';

/** The command in a mount namespace of its own, where the files of a folder are added to `/etc`. */
export function inPrivateEtc(folder: string, command: string[]): string[] {
  return [
    "unshare",
    "--mount",
    "--propagation",
    "private",
    "sh",
    "-c",
    OVERLAY,
    folder,
    ...command,
  ];
}

let known: Promise<boolean> | undefined;

/** Returns true if this user may lay a folder over `/etc` for a program; tried once. */
export function canHavePrivateEtc(): Promise<boolean> {
  known ??= tryOut();
  return known;
}

async function tryOut(): Promise<boolean> {
  if (process.platform !== "linux") return false;
  const folder = await mkdtemp(join(tmpdir(), "conformance-etc-"));
  try {
    const [file = "", ...args] = inPrivateEtc(folder, ["true"]);
    await promisify(execFile)(file, args);
    return true;
  } catch {
    return false; // not root, or a system without overlays
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
