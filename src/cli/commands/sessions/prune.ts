import { codexHome } from "../../../config/index.js";
import { programName } from "../../../lib/program-name.js";
import { CodexError } from "../../../protocol/error.js";
import { deleteThread, findOldFiles, type StoredFile } from "../../../rollout/index.js";
import { type CommandIo, defineCommand } from "../../command.js";
import { confirm } from "../../confirm.js";
import { exitCodes, UsageError } from "../../exit-codes.js";
import { bytesText, counted, parseSpan } from "../../print.js";

/** Deletes sessions without recent activity. */
export const sessionsPrune = defineCommand({
  name: "sessions prune",
  summary: "Delete old sessions permanently",
  options: {
    "older-than": {
      type: "string",
      value: "SPAN",
      default: "30d",
      help: "Delete sessions without activity for this long: 12h, 30d, 4w, 6m, 1y",
    },
    archived: { type: "boolean", help: "Delete only archived sessions" },
    "dry-run": { type: "boolean", help: "Print what would be deleted, delete nothing" },
    yes: { type: "boolean", short: "y", help: "Do not ask for confirmation" },
    json: { type: "boolean", help: "Print the deleted sessions as JSON" },
  },
  details: "Keeps sessions in use, and sessions that a newer one was forked from.",
  async run({ values }, io) {
    const span = parseSpan(values["older-than"]);
    if (span === undefined) {
      const given = values["older-than"];
      throw new UsageError(
        `Expected --older-than to be a span such as 12h, 30d or 4w (got ${given})`,
      );
    }
    const home = codexHome(io.env);
    const found = await findOldFiles(home, Date.now() - span);
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
    io.stdout.write(values.json ? jsonText(removed) : `Deleted ${sizeText(removed)}.\n`);
    if (io.signal.aborted) return exitCodes.interrupted;
    return removed.length === old.length ? exitCodes.ok : exitCodes.failed;
  },
});

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
