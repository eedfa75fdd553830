import type { Table } from "../toml/table.js";

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
  const { editUnderLock } = await import("./locked-edit.js"); // few sessions ever write
  return editUnderLock(file, edits, options);
}
