import { errorText } from "../../lib/error-text.js";
import { withFileLock } from "../../lib/file-lock.js";
import { followLinks, removeLeftovers, replaceFile } from "../../lib/replace-file.js";
import { CodexError } from "../../protocol/error.js";
import { readTextIfThere } from "../layers/read-file.js";
import { versionOf } from "../layers/version.js";
import { parseToml } from "../toml/parse.js";
import type { Table } from "../toml/table.js";
import { applyEdits, editText } from "./apply-edits.js";
import { checkEdits } from "./check-edits.js";
import type { EditOptions, EditResult, Edits } from "./edit-config.js";

/** Makes edits while no other program of ours does; see `editConfig`. */
export async function editUnderLock(
  file: string,
  edits: Edits,
  options: EditOptions,
): Promise<EditResult> {
  try {
    const target = await followLinks(file);
    return await withFileLock(`${target}.lock`, patience, async () => {
      await removeLeftovers(target);
      return await editUntilWritten(target, edits, options);
    });
  } catch (error) {
    if (error instanceof CodexError) throw error;
    const reason = errorText(error);
    throw new CodexError("io", `Cannot change ${file}: ${reason}`, {
      data: { reason: "write", file },
      cause: error,
    });
  }
}

const patience = { sameHolderMs: 10_000, totalMs: 60_000 };

/** Editors know nothing of our lock: what they have saved meanwhile is the new base. */
async function editUntilWritten(
  file: string,
  edits: Edits,
  options: EditOptions,
): Promise<EditResult> {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const text = readTextIfThere(file) ?? "";
    const { values, newText } = await editOnce(text, file, edits, options);
    const version = await versionOf(values);
    const isUnchanged = () => (readTextIfThere(file) ?? "") === text;
    if (newText === text || (await replaceFile(file, newText, { isUnchanged }))) {
      return { file, version, values };
    }
  }
  throw new Error("another program keeps changing it");
}

const mostAttempts = 20;

async function editOnce(
  text: string,
  file: string,
  edits: Edits,
  { expectedVersion }: EditOptions,
): Promise<{ values: Table; newText: string }> {
  const old = await parseToml(text, file);
  if (expectedVersion !== undefined && expectedVersion !== (await versionOf(old))) {
    throw new CodexError("config", `${file} has been changed since it was read; read it again`, {
      data: { reason: "version_conflict", file },
    });
  }
  const list = typeof edits === "function" ? edits(old) : edits;
  const values = applyEdits(old, list);
  checkEdits(values, list, file);
  return { values, newText: await editText(text, list, values) };
}
