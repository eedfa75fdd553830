import { existsSync } from "node:fs";
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Skipped } from "./check.js";
import { cacheFolder } from "./package-cache.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** A checkout of the reference's repository: its packages do not contain their tests. */
export function findCodexSource(env: Environment): string {
  const asked = env.QUIRE_CODEX_SOURCE;
  const folder = asked || join(cacheFolder(env), "codex-source");
  if (existsSync(join(folder, "sdk"))) return folder;
  if (asked) throw new Error(`QUIRE_CODEX_SOURCE is ${asked}, where there is no folder \`sdk\``);
  throw new Skipped(
    "the tests of the SDKs are not in their packages: set QUIRE_CODEX_SOURCE to a checkout of " +
      `github.com/openai/codex, or clone it to ${folder}`,
  );
}

/** Copies the files that the suites of the SDKs need, as the root of a separate repository. */
export async function copySuites(source: string, to: string): Promise<void> {
  await mkdir(join(to, "scripts"), { recursive: true });
  const isInstalled = (path: string) => /[/\\](node_modules|\.venv|__pycache__)$/.test(path);
  for (const folder of ["sdk", join("scripts", "mcp_conformance")]) {
    if (!existsSync(join(source, folder))) continue;
    const filter = (path: string) => !isInstalled(path);
    await cp(join(source, folder), join(to, folder), { recursive: true, filter });
  }
}
