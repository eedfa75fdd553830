/**
 * About how many bytes a value would take as JSON, for channels that never write it as text.
 *
 * Looks at so many parts only: what matters is to notice messages that are megabytes long.
 */
export function weigh(value: unknown): number {
  return weighPart(value, { parts: 256 });
}

function weighPart(value: unknown, budget: { parts: number }): number {
  budget.parts--;
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null || budget.parts <= 0) return 8;
  return Array.isArray(value) ? weighList(value, budget) : weighRecord(value, budget);
}

function weighList(list: unknown[], budget: { parts: number }): number {
  let bytes = 2;
  for (const [index, part] of list.entries()) {
    // The rest is taken to be like what was seen.
    if (budget.parts <= 0) return Math.ceil((bytes * list.length) / (index + 1));
    bytes += weighPart(part, budget) + 1;
  }
  return bytes;
}

function weighRecord(record: object, budget: { parts: number }): number {
  let bytes = 2;
  // Not `Object.entries`: this is done for every message that has to wait.
  for (const key in record) {
    bytes += key.length + 4 + weighPart((record as Record<string, unknown>)[key], budget);
  }
  return bytes;
}
