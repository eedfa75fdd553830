/** What something that was thrown says: anything can be thrown, not only errors. */
export function errorText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
