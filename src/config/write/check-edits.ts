import { CodexError } from "../../protocol/error.js";
import { checkValues } from "../check/check-values.js";
import { fileShape } from "../check/shape.generated.js";
import { writeKey } from "../toml/key.js";
import { startsWith } from "../toml/statements.js";
import type { Table } from "../toml/table.js";
import type { ConfigEdit } from "./edit-config.js";

/**
 * Throws when a changed setting is not of the type it has.
 *
 * What was wrong before elsewhere in the file does not matter: it must be possible to mend it.
 */
export function checkEdits(values: Table, edits: readonly ConfigEdit[], file: string): void {
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
