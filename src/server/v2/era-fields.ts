/**
 * Takes fields away that an older version of a shape did not have.
 *
 * The type stays: whoever reads the result reads it as JSON of that version.
 */
export function toEraFields<Value extends object>(
  value: Value,
  lacking: readonly string[] | undefined,
): Value {
  if (lacking === undefined) return value;
  const kept = Object.entries(value).filter(([name]) => !lacking.includes(name));
  return Object.fromEntries(kept) as Value;
}
