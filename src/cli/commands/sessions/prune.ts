import { join } from "node:path";
import { codexHome } from "../../../config/index.js";
import { programName } from "../../../lib/program-name.js";
import { CodexError } from "../../../protocol/error.js";
import {
  deleteThread,
  findOldFiles,
  type StoredFile,
  walkStoredFiles,
} from "../../../rollout/index.js";
import { type CommandIo, defineCommand } from "../../command.js";
import { confirm } from "../../confirm.js";
import { exitCodes, UsageError } from "../../exit-codes.js";
import { bytesText, counted, parseSize, parseSpan } from "../../print.js";

/** Deletes sessions without recent activity. */
export const sessionsPrune = defineCommand({
  name: "sessions prune",
  summary: "Delete old sessions permanently",
  options: {
    "older-than": {
      type: "string",
      value: "SPAN",
      help: "Delete sessions without activity for this long: 12h, 30d (the default), 4w, 6m, 1y",
    },
    "max-size": {
      type: "string",
      value: "SIZE",
      help: "Delete the oldest sessions until the others take at most this much: 500mb, 2gb",
    },
    archived: { type: "boolean", help: "Delete only archived sessions" },
    "dry-run": { type: "boolean", help: "Print what would be deleted, delete nothing" },
    yes: { type: "boolean", short: "y", help: "Do not ask for confirmation" },
    json: { type: "boolean", help: "Print the deleted sessions as JSON" },
  },
  details:
    "Keeps sessions in use, pinned ones, and those that a session that stays was forked from. With --max-size\nand --older-than only sessions that are old enough are deleted. Checkpoints that were not used for as long\nare deleted too, but not with --max-size.",
  async run({ values }, io) {
    const { "max-size": size, "older-than": age } = values;
    const span = parseSpan(age ?? (size === undefined ? "30d" : "0h"));
    if (span === undefined) {
      throw new UsageError(
        `Expected --older-than to be a span such as 12h, 30d or 4w (got ${age})`,
      );
    }
    const mostBytes = size === undefined ? undefined : parseSize(size);
    if (size !== undefined && mostBytes === undefined) {
      throw new UsageError(`Expected --max-size to be a size such as 500mb or 2gb (got ${size})`);
    }
    const home = codexHome(io.env);
    const before = Date.now() - span;
    const limit = mostBytes === undefined ? before : await timeOfSize(home, mostBytes, values);
    const found = await findOldFiles(home, Math.min(before, limit), await pinnedSessions(home));
    const old = found.filter(({ archived }) => archived || !values.archived);
    if (values["dry-run"] || old.length === 0) {
      io.stdout.write(values.json ? jsonText(old) : old.map(({ id }) => `${id}\n`).join(""));
      io.stderr.write(`Would delete ${sizeText(old)}\n`);
      return exitCodes.ok;
    }
    const isSure = values.yes || (await confirm(`Permanently delete ${sizeText(old)}?`, io));
    if (isSure === undefined) {
      throw new UsageError(
        "No terminal to ask for confirmation: pass --yes, or --dry-run to preview",
      );
    }
    if (!isSure) {
      io.stderr.write("Nothing was deleted.\n");
      return exitCodes.failed;
    }
    const removed = await remove(home, old, io);
    if (!values.archived && size === undefined) await pruneCheckpoints(home, span);
    io.stdout.write(values.json ? jsonText(removed) : `Deleted ${sizeText(removed)}.\n`);
    if (io.signal.aborted) return exitCodes.interrupted;
    return removed.length === old.length ? exitCodes.ok : exitCodes.failed;
  },
});

/** Returns the sessions that the user has pinned. */
async function pinnedSessions(home: string): Promise<ReadonlySet<string>> {
  const [{ OrganizationStore }, { pinnedId }] = await Promise.all([
    import("../../../server/organization/store.js"),
    import("../../../server/organization/organization.js"),
  ]);
  const { sections } = await new OrganizationStore(home).read();
  return new Set(sections.find(({ id }) => id === pinnedId)?.threads);
}

/** Returns the time before which sessions have to go so that the others take at most `mostBytes`. */
async function timeOfSize(
  home: string,
  mostBytes: number,
  { archived }: { archived: boolean },
): Promise<number> {
  const files: StoredFile[] = [];
  for await (const file of walkStoredFiles(home)) if (file.archived || !archived) files.push(file);
  let bytes = 0;
  for (const file of files.sort((a, b) => b.updatedAtMs - a.updatedAtMs)) {
    bytes += file.bytes;
    if (bytes > mostBytes) return file.updatedAtMs + 1;
  }
  return Number.NEGATIVE_INFINITY;
}

/** Deletes checkpoints that were not used for as long. */
async function pruneCheckpoints(home: string, span: number): Promise<void> {
  const { pruneUnused } = await import("../../../checkpoint/index.js");
  await pruneUnused(join(home, "checkpoints"), Date.now() - span);
}

/** Deletes files one by one; reports the ones that are in use and keeps them. */
async function remove(
  home: string,
  files: readonly StoredFile[],
  { stderr, signal }: CommandIo,
): Promise<StoredFile[]> {
  const removed: StoredFile[] = [];
  for (const file of files) {
    if (signal.aborted) break;
    try {
      await deleteThread(home, file, { archived: file.archived });
      removed.push(file);
    } catch (error) {
      if (!(error instanceof CodexError)) throw error;
      stderr.write(`${programName()}: ${error.message}\n`);
    }
  }
  return removed;
}

function jsonText(files: readonly StoredFile[]): string {
  return `${JSON.stringify(files, null, 2)}\n`;
}

function sizeText(files: readonly StoredFile[]): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return `${counted(files.length, "session")} (${bytesText(bytes)})`;
}
