import { codexHome } from "../../../config/index.js";
import { programName } from "../../../lib/program-name.js";
import { CodexError } from "../../../protocol/error.js";
import { deleteThread, findOldFiles, type StoredFile } from "../../../rollout/index.js";
import { type CommandIo, defineCommand } from "../../command.js";
import { confirm } from "../../confirm.js";
import { exitCodes, UsageError } from "../../exit-codes.js";
import { bytesText, counted, parseSpan } from "../../print.js";

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
    json: { type: "boolean", help: "Write what is removed as JSON" },
  },
  details: "Sessions that are being written stay, and those that a younger one goes on from.",
  async run({ values }, io) {
    const span = parseSpan(values["older-than"]);
    if (span === undefined) {
      const given = values["older-than"];
      throw new UsageError(`--older-than needs a span such as 12h, 30d or 4w, not ${given}`);
    }
    const home = codexHome(io.env);
    const found = await findOldFiles(home, Date.now() - span);
    const old = found.filter(({ archived }) => archived || !values.archived);
    if (values["dry-run"] || old.length === 0) {
      io.stdout.write(values.json ? jsonText(old) : old.map(({ id }) => `${id}\n`).join(""));
      io.stderr.write(`${sizeText(old)} would be removed\n`);
      return exitCodes.ok;
    }
    const isSure = values.yes || (await confirm(`Remove ${sizeText(old)} for good?`, io));
    if (isSure === undefined) {
      throw new UsageError("There is no terminal to ask in: add --yes, or --dry-run to look first");
    }
    if (!isSure) {
      io.stderr.write("Nothing was removed.\n");
      return exitCodes.failed;
    }
    const removed = await remove(home, old, io);
    io.stdout.write(values.json ? jsonText(removed) : `Removed ${sizeText(removed)}.\n`);
    if (io.signal.aborted) return exitCodes.interrupted;
    return removed.length === old.length ? exitCodes.ok : exitCodes.failed;
  },
});

/** Removes them one by one; those that are being written stay, and the user is told. */
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
