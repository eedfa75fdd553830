const acting = new Set([
  "-exec",
  "-execdir",
  "-ok",
  "-okdir",
  "-delete",
  "-fls",
  "-fprint",
  "-fprint0",
  "-fprintf",
]);

/** Whether `find` looks for files without running, deleting or writing anything. */
export function onlyFinds(args: readonly string[]): boolean {
  return !args.some((arg) => acting.has(arg));
}
