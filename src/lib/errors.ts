/** Returns the `code` of a thrown value, such as `ENOENT`, or `undefined` if it has none. */
export function errorCode(thrown: unknown): unknown {
  return thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
}

/** Returns the message of a thrown value, which need not be an `Error`. */
export function errorText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
