import { codexHome } from "../../../config/index.js";
import { CodexError } from "../../../protocol/error.js";
import { deleteThread, type StoredFile, walkStoredFiles } from "../../../rollout/index.js";
import { type CommandIo, defineCommand } from "../../command.js";
import { confirm } from "../../confirm.js";
import { exitCodes } from "../../exit-codes.js";
import { bytesText, counted, parseSpan } from "../../print/units.js";
import { UsageError } from "../../usage-error.js";

/** Removes conversations that nobody has added to for long. */
export const sessionsPrune = defineCommand({
  name: "sessions prune",
  summary: "Remove old sessions for good",
  options: {
    "older-than": {
      type: "string",
      value: "SPAN",
      default: "30d",
      help: "Those that nothing was added to for so long: 12h, 30d, 4w, 6m, 1y",
    },
    archived: { type: "boolean", help: "Only those that were put away" },
    "dry-run": { type: "boolean", help: "Say what would be removed, and remove nothing" },
    yes: { type: "boolean", short: "y", help: "Do not ask" },
  },
  details: "Sessions that are being written stay.",
  async run({ values }, io) {
    const span = parseSpan(values["older-than"]);
    if (span === undefined) {
      const given = values["older-than"];
      throw new UsageError(`--older-than needs a span such as 12h, 30d or 4w, not ${given}`);
    }
    const home = codexHome(io.env);
    const old = await filesBefore(home, Date.now() - span, values.archived);
    if (old.length === 0) {
      io.stdout.write(`No session is older than ${values["older-than"]}.\n`);
      return exitCodes.ok;
    }
    const what = `${counted(old.length, "session")} (${bytesText(sizeOf(old))})`;
    if (values["dry-run"]) {
      for (const { id } of old) io.stdout.write(`${id}\n`);
      io.stderr.write(`${what} would be removed\n`);
      return exitCodes.ok;
    }
    const isSure = values.yes || (await confirm(`Remove ${what} for good?`, io));
    if (isSure === undefined) {
      throw new UsageError("There is no terminal to ask in: add --yes, or --dry-run to look first");
    }
    if (!isSure) {
      io.stderr.write("Nothing was removed.\n");
      return exitCodes.failed;
    }
    return remove(home, old, io);
  },
});

async function filesBefore(
  home: string,
  time: number,
  onlyArchived: boolean,
): Promise<StoredFile[]> {
  const old: StoredFile[] = [];
  for await (const file of walkStoredFiles(home)) {
    if (file.updatedAtMs < time && (file.archived || !onlyArchived)) old.push(file);
  }
  return old;
}

async function remove(home: string, files: readonly StoredFile[], io: CommandIo): Promise<number> {
  const removed: StoredFile[] = [];
  let failures = 0;
  for (const file of files) {
    if (io.signal.aborted) break;
    try {
      await deleteThread(home, file, { archived: file.archived });
      removed.push(file);
    } catch (error) {
      if (!(error instanceof CodexError)) throw error;
      failures++;
      io.stderr.write(`quire: ${error.message}\n`);
    }
  }
  const what = `${counted(removed.length, "session")} (${bytesText(sizeOf(removed))})`;
  io.stdout.write(`Removed ${what}.\n`);
  if (io.signal.aborted) return exitCodes.interrupted;
  return failures === 0 ? exitCodes.ok : exitCodes.failed;
}

function sizeOf(files: readonly StoredFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
