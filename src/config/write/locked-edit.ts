import { isDeepStrictEqual } from "node:util";
import { errorText } from "../../lib/errors.js";
import { withFileLock } from "../../lib/file-lock.js";
import { followLinks, removeLeftovers, replaceFile } from "../../lib/replace-file.js";
import { CodexError } from "../../protocol/error.js";
import { checkValues } from "../check/check-values.js";
import { fileShape } from "../check/shape.generated.js";
import { mergeTables, versionOf } from "../layers/layer.js";
import { readTextIfThere } from "../layers/read-file.js";
import { toMcpServer } from "../resolve/mcp-servers.js";
import type { McpServerToml } from "../schema/mcp-server.js";
import { writeKey } from "../toml/key.js";
import { startsWith } from "../toml/statements.js";
import {
  copyTable,
  copyValue,
  isTable,
  loadParser,
  newTable,
  parseToml,
  putAt,
  removeAt,
  type Table,
  valueAt,
} from "../toml/table.js";
import type { ConfigEdit, EditOptions, EditResult, Edits } from "./edit-config.js";
import { TomlEditor } from "./editor.js";

/** Implements `editConfig` under a lock shared with other processes. */
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

/** Edits until written: editors do not use the lock, so the edits restart if the file has changed. */
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
  checkEditedServers(values, list, file);
  return { values, newText: await editText(text, list, values) };
}

/** Returns the values after the edits. */
function applyEdits(values: Table, edits: readonly ConfigEdit[]): Table {
  const changed = copyTable(values);
  for (const { path, value, merge } of edits) {
    if (path.length === 0) throw new CodexError("config", "An edit requires a key");
    const old = valueAt(changed, path);
    if (value === undefined || value === null) removeAt(changed, path);
    else if (merge === true && isTable(old) && isTable(value)) {
      putAt(changed, path, mergeTables([old, value]));
    } else putAt(changed, path, copyValue(value));
  }
  return changed;
}

/** Applies the edits to the text; throws if the result does not parse to `wanted`. */
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
  const parsed = parse(editor.text);
  if (isDeepStrictEqual(withoutEmpty(parsed), withoutEmpty(wanted))) return editor.text;
  throw new CodexError(
    "internal",
    "The edited config does not parse to the requested values; nothing was changed",
  );
}

/** Removes empty tables, which are equal to missing ones. */
function withoutEmpty(table: Table): Table {
  const kept = newTable();
  for (const [key, value] of Object.entries(table)) {
    const inner = isTable(value) ? withoutEmpty(value) : value;
    if (!isTable(inner) || Object.keys(inner).length > 0) kept[key] = inner;
  }
  return kept;
}

/**
 * Throws if an edited key has a value of the wrong type.
 *
 * Ignores errors elsewhere in the file, so that a broken file can be fixed.
 */
function checkEdits(values: Table, edits: readonly ConfigEdit[], file: string): void {
  const { problems } = checkValues(values, fileShape);
  const caused = problems.find(({ path }) =>
    edits.some((edit) => startsWith(path, edit.path) || startsWith(edit.path, path)),
  );
  if (caused === undefined) return;
  const { path, expected, got, allowed } = caused;
  throw new CodexError("config", `\`${writeKey(path)}\` must be ${expected}, not ${got}`, {
    data: { reason: "type", source: file, key: path, expected, got, allowed },
  });
}

/** Throws if an edit leaves an MCP server that no session could start with. */
function checkEditedServers(values: Table, edits: readonly ConfigEdit[], file: string): void {
  const servers = values.mcp_servers;
  if (!isTable(servers)) return;
  for (const [name, server] of Object.entries(servers)) {
    const key = ["mcp_servers", name];
    const isEdited = edits.some(({ path }) => startsWith(path, key) || startsWith(key, path));
    if (!isEdited) continue;
    const problem = toMcpServer(name, server as McpServerToml, false);
    if (typeof problem !== "string") continue;
    throw new CodexError("config", `\`${writeKey(key)}\`: ${problem}`, {
      data: { reason: "server", source: file, key },
    });
  }
}
