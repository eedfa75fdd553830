import { isDeepStrictEqual } from "node:util";
import { withFileLock } from "../../lib/file-lock.js";
import { CodexError } from "../../protocol/error.js";
import { fileShape } from "../check/shape.generated.js";
import { mergeTables } from "../layers/merge.js";
import { readTextIfThere } from "../layers/read-file.js";
import { versionOf } from "../layers/version.js";
import { TomlEditor } from "../toml/editor.js";
import { loadParser, parseToml } from "../toml/parse.js";
import {
  copyTable,
  copyValue,
  isTable,
  newTable,
  putAt,
  removeAt,
  type Table,
  valueAt,
} from "../toml/table.js";
import { checkEdits } from "./check-edits.js";
import { followLinks, removeLeftovers, replaceFile } from "./replace-file.js";

/** A change of a setting. */
export interface ConfigEdit {
  path: readonly string[];
  /** The new value; `null` or nothing takes the setting away. */
  value?: unknown;
  /** Of a table, keeps the keys that `value` does not have. */
  merge?: boolean;
}

/** What may be asked of a change. */
export interface EditOptions {
  /** Changes nothing, and throws, when the file is no longer of this version. */
  expectedVersion?: string;
}

/** The file after a change. */
export interface EditResult {
  /** The file that was written: where links lead. */
  file: string;
  version: string;
  values: Table;
}

/** The edits to make, or how they follow from what the file says. */
export type Edits = readonly ConfigEdit[] | ((values: Table) => readonly ConfigEdit[]);

/**
 * Changes settings in a file, and nothing else: comments and order stay.
 *
 * Of several programs that change it at once, none loses what another wrote. The new text is read
 * again before it replaces the old, and a crash leaves one of the two. Nothing is written when
 * nothing changes. Throws when a value is not of the type that the setting has.
 */
export async function editConfig(
  file: string,
  edits: Edits,
  options: EditOptions = {},
): Promise<EditResult> {
  const target = await followLinks(file).catch((error) => cannotWrite(file, error));
  return await withFileLock(`${target}.lock`, patience, async () => {
    await removeLeftovers(target);
    for (;;) {
      const text = (await readTextIfThere(target)) ?? "";
      const { values, newText } = await editOnce(text, target, edits, options);
      const version = await versionOf(values);
      if (newText === text) return { file: target, version, values };
      // Editors know nothing of our lock: what they have saved meanwhile is the new base.
      if (((await readTextIfThere(target)) ?? "") !== text) continue;
      await replaceFile(target, newText);
      return { file: target, version, values };
    }
  }).catch((error) => cannotWrite(target, error));
}

const patience = { sameHolderMs: 10_000, totalMs: 60_000 };

async function editOnce(text: string, file: string, edits: Edits, options: EditOptions) {
  const old = await parseToml(text, file);
  if (options.expectedVersion !== undefined && options.expectedVersion !== (await versionOf(old))) {
    throw new CodexError("config", `${file} has been changed since it was read; read it again`, {
      data: { reason: "version_conflict", file },
    });
  }
  const list = typeof edits === "function" ? edits(old) : edits;
  const wanted = applyEdits(old, list);
  checkEdits(wanted, list, file);
  const newText = await editText(text, list, wanted);
  return { values: wanted, newText };
}

/** The text with the edits made; throws when it would not say what was wanted. */
async function editText(
  text: string,
  edits: readonly ConfigEdit[],
  wanted: Table,
): Promise<string> {
  const parse = await loadParser();
  const editor = new TomlEditor(text, parse, fileShape);
  for (const { path, value, merge } of edits) {
    if (value === undefined || value === null) editor.remove(path);
    else editor.set(path, value, merge);
  }
  if (sameSettings(parse(editor.text), wanted)) return editor.text;
  throw new CodexError(
    "internal",
    "The changed settings do not read back as meant; none was changed",
  );
}

function applyEdits(values: Table, edits: readonly ConfigEdit[]): Table {
  const changed = copyTable(values);
  for (const { path, value, merge } of edits) {
    if (path.length === 0) throw new CodexError("config", "A setting needs a name");
    const old = valueAt(changed, path);
    if (value === undefined || value === null) removeAt(changed, path);
    else if (merge === true && isTable(old) && isTable(value)) {
      putAt(changed, path, mergeTables([old, value]));
    } else putAt(changed, path, copyValue(value));
  }
  return changed;
}

/** A table without keys says nothing, wherever it is left over. */
function sameSettings(left: Table, right: Table): boolean {
  return isDeepStrictEqual(withoutEmpty(left), withoutEmpty(right));
}

function withoutEmpty(table: Table): Table {
  const kept = newTable();
  for (const [key, value] of Object.entries(table)) {
    const inner = isTable(value) ? withoutEmpty(value) : value;
    if (!isTable(inner) || Object.keys(inner).length > 0) kept[key] = inner;
  }
  return kept;
}

function cannotWrite(file: string, error: unknown): never {
  if (error instanceof CodexError) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  throw new CodexError("io", `Cannot change ${file}: ${reason}`, {
    data: { reason: "write", file },
    cause: error,
  });
}
