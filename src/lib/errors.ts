/** The code that something thrown carries, such as the `ENOENT` of the system; nothing without one. */
export function errorCode(thrown: unknown): unknown {
  return thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
}

/** What something that was thrown says: anything can be thrown, not only errors. */
export function errorText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
