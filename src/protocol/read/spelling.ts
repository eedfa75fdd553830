/**
 * Finds a word that may be spelled in kebab, camel, snake or any other case.
 *
 * The table has the words in lower case without separators. What is not in it comes back as it
 * was, so that the check names it as the client wrote it.
 */
export function spelled<T>(table: Record<string, T>, value: unknown): T | unknown {
  if (typeof value !== "string" || value.length > 64) return value;
  const key = value.replaceAll(/[-_ ]/g, "").toLowerCase();
  return Object.hasOwn(table, key) ? table[key] : value;
}
