/** Whether `base64` prints its result instead of writing it (`-o`, `--output`, also abbreviated). */
export function writesNoOutput(args: readonly string[]): boolean {
  return !args.some(
    (arg) => arg.startsWith("-o") || /^--o(?:u(?:t(?:p(?:u(?:t)?)?)?)?)?(?:=|$)/.test(arg),
  );
}
