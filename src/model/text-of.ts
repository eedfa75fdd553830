/** The value when it is text, else nothing. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
