import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** An empty folder that is removed when the test ends. */
export interface TemporaryFolder extends AsyncDisposable {
  path: string;
  /** Writes files by path below the folder; a name that ends in `/` creates a folder. */
  write(files: Record<string, string | Uint8Array>): Promise<void>;
}

/** Creates a temporary folder. */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), "quire-project-")));
  return {
    path,
    async write(files) {
      for (const [name, content] of Object.entries(files)) {
        const target = join(path, name);
        await mkdir(name.endsWith("/") ? target : dirname(target), { recursive: true });
        if (!name.endsWith("/")) await writeFile(target, content);
      }
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
