/** Compares the expected fields only; `null` and absent are the same. */
export function differenceFrom(told: unknown, expected: unknown): string | undefined {
  return fits(told, expected)
    ? undefined
    : `got ${JSON.stringify(told)}, expected ${JSON.stringify(expected)}`;
}

function fits(told: unknown, expected: unknown): boolean {
  if (expected === null || expected === undefined) return told === null || told === undefined;
  if (Array.isArray(expected)) {
    if (!Array.isArray(told) || told.length !== expected.length) return false;
    return expected.every((entry, index) => fits(told[index], entry));
  }
  if (typeof expected !== "object") return told === expected;
  if (typeof told !== "object" || told === null) return false;
  const fields = told as Record<string, unknown>;
  return Object.entries(expected).every(([key, value]) => fits(fields[key], value));
}
