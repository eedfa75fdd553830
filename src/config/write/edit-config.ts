import type { Table } from "../toml/table.js";

/** An edit of a key. */
export interface ConfigEdit {
  path: readonly string[];
  /** New value; `null` or undefined removes the key. */
  value?: unknown;
  /** Keeps the other keys of an existing table. */
  merge?: boolean;
}

/** Options of an edit. */
export interface EditOptions {
  /** Throws without changes if the file has another version. */
  expectedVersion?: string;
}

/** State of the file after an edit. */
export interface EditResult {
  /** Written file, with links resolved. */
  file: string;
  version: string;
  values: Table;
}

/** Edits, or a function that derives them from the values of the file. */
export type Edits = readonly ConfigEdit[] | ((values: Table) => readonly ConfigEdit[]);

/**
 * Edits keys of a file; keeps comments and order.
 *
 * Concurrent edits of several programs are not lost. The new text is parsed again before it atomically
 * replaces the old one. Writes nothing if nothing changes. Throws on a value of the wrong type.
 */
export async function editConfig(
  file: string,
  edits: Edits,
  options: EditOptions = {},
): Promise<EditResult> {
  const { editUnderLock } = await import("./locked-edit.js"); // few sessions ever write
  return editUnderLock(file, edits, options);
}
