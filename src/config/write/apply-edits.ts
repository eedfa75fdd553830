import { isDeepStrictEqual } from "node:util";
import { CodexError } from "../../protocol/error.js";
import { fileShape } from "../check/shape.generated.js";
import { mergeTables } from "../layers/merge.js";
import { TomlEditor } from "../toml/editor.js";
import { loadParser } from "../toml/parse.js";
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
import type { ConfigEdit } from "./edit-config.js";

/** What the settings are after the edits. */
export function applyEdits(values: Table, edits: readonly ConfigEdit[]): Table {
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

/** The text with the edits made; throws when it would not say `wanted`. */
export async function editText(
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
  const said = parse(editor.text);
  if (isDeepStrictEqual(withoutEmpty(said), withoutEmpty(wanted))) return editor.text;
  throw new CodexError(
    "internal",
    "The changed settings do not read back as meant; none is changed",
  );
}

/** A table without keys says nothing, wherever it is left over. */
function withoutEmpty(table: Table): Table {
  const kept = newTable();
  for (const [key, value] of Object.entries(table)) {
    const inner = isTable(value) ? withoutEmpty(value) : value;
    if (!isTable(inner) || Object.keys(inner).length > 0) kept[key] = inner;
  }
  return kept;
}
