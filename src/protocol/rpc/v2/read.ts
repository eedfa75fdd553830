import { changeFields, type JsonRecord } from "../../read/record.js";

/**
 * Brings params into the one form: `null` counts as absent, but for members where it says something.
 *
 * Members that are not known stay; the checks pass over them.
 */
export function toV2Params(params: JsonRecord, nullable: readonly string[]): JsonRecord {
  return changeFields(params, (name, value) =>
    value === null && !nullable.includes(name) ? undefined : value,
  );
}
