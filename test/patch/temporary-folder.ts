import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder that is removed when the test ends. */
export interface TemporaryFolder extends AsyncDisposable {
  path: string;
  /** Writes files by path below the folder. */
  write(files: Record<string, string | Uint8Array>): Promise<void>;
}

/** Creates a folder; with `fast`, in memory if the system supports it. */
export async function temporaryFolder({ fast = false } = {}): Promise<TemporaryFolder> {
  const parent = fast && existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
  const path = await realpath(await mkdtemp(join(parent, "quire-patch-")));
  await chmod(path, 0o755);
  return {
    path,
    async write(files) {
      for (const [name, content] of Object.entries(files)) {
        await mkdir(dirname(join(path, name)), { recursive: true });
        await writeFile(join(path, name), content);
      }
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
