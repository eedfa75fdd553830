import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { withFileLock } from "../../lib/file-lock.js";
import { readQuietly } from "../../lib/files.js";
import { followLinks, replaceFile } from "../../lib/replace-file.js";
import type { ExternalAgentHistory } from "../../protocol/rpc/v2/external-agent.js";

/** Returns the completed imports, oldest first; a missing or broken file has none. */
export function readImports(home: string): ExternalAgentHistory[] {
  try {
    const value: unknown = JSON.parse(readQuietly(fileIn(home)));
    return Array.isArray(value) ? (value as ExternalAgentHistory[]) : [];
  } catch {
    return [];
  }
}

/** Records an import. */
export async function recordImport(home: string, entry: ExternalAgentHistory): Promise<void> {
  await mkdir(dirname(fileIn(home)), { recursive: true });
  const file = await followLinks(fileIn(home));
  await withFileLock(`${file}.lock`, patience, async () => {
    const text = JSON.stringify([...readImports(home), entry].slice(-mostKept), undefined, 2);
    await replaceFile(file, `${text}\n`);
  });
}

const patience = { sameHolderMs: 1_000, totalMs: 5_000 };
const mostKept = 100;

function fileIn(home: string): string {
  return join(home, "quire", "imports.json");
}
