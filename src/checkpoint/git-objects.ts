import { type GitPlace, withGit } from "../project/index.js";
import type { FileEntry } from "./folder-walk.js";

type InGit = FileEntry & { gitObject: string };

/**
 * Reads the contents that files had when git knew them to be unchanged.
 *
 * Yields nothing for an object that is gone, or whose contents git converts in an unknown way.
 */
export async function* readGitObjects(
  place: GitPlace,
  entries: readonly InGit[],
): AsyncGenerator<{ entry: InGit; bytes: Buffer }> {
  for (let start = 0; start < entries.length; start += atOnce) {
    const some = entries.slice(start, start + atOnce);
    const input = `${some.map(({ gitObject }) => gitObject).join("\n")}\n`;
    const output = await withGit(place, (git) =>
      git(["cat-file", "--batch"], { input, maxBytes: mostBytes, timeoutMs: 60_000 }),
    );
    if (output?.code !== 0 || !output.complete) continue;
    const contents = parseBatch(output.stdout);
    for (const entry of some) {
      const blob = contents.get(entry.gitObject);
      const bytes = blob && asInWorkTree(blob, entry.stamp.size);
      if (bytes !== undefined) yield { entry, bytes };
    }
  }
}

const atOnce = 500;
const mostBytes = 512 * 1024 * 1024;

/** Git may have stored line feeds in place of CRLF; other conversions are not undone. */
function asInWorkTree(blob: Buffer, size: number): Buffer | undefined {
  if (blob.length === size) return blob;
  if (blob.includes(0x0d)) return undefined;
  const withReturns = Buffer.from(blob.toString("latin1").replaceAll("\n", "\r\n"), "latin1");
  return withReturns.length === size ? withReturns : undefined;
}

/** Parses `ID blob SIZE`, the contents and a newline for each object. */
function parseBatch(output: Buffer): Map<string, Buffer> {
  const contents = new Map<string, Buffer>();
  let at = 0;
  while (at < output.length) {
    const end = output.indexOf(0x0a, at);
    if (end < 0) break;
    const [id = "", type, size] = output.toString("latin1", at, end).split(" ");
    at = end + 1;
    if (type !== "blob") continue; // missing
    contents.set(id, output.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return contents;
}
