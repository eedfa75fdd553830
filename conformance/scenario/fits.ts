/** Compares the expected fields only; `null` and absent are the same. */
export function differenceFrom(actual: unknown, expected: unknown): string | undefined {
  return fits(actual, expected)
    ? undefined
    : `got ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`;
}

function fits(actual: unknown, expected: unknown): boolean {
  if (expected === null || expected === undefined) return actual === null || actual === undefined;
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return false;
    return expected.every((entry, index) => fits(actual[index], entry));
  }
  if (typeof expected !== "object") return actual === expected;
  if (typeof actual !== "object" || actual === null) return false;
  const fields = actual as Record<string, unknown>;
  return Object.entries(expected).every(([key, value]) => fits(fields[key], value));
}
