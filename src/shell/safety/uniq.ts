const withValue = /^-[fsw]$|^--(?:skip-fields|skip-chars|check-chars)$/;

/** Whether `uniq` names at most one file: it writes to the second. */
export function readsOneFile(args: readonly string[]): boolean {
  let files = 0;
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? "";
    if (arg === "--") {
      files += args.length - index - 1;
      break;
    }
    if (withValue.test(arg)) index += 1;
    else if (arg === "-" || !arg.startsWith("-")) files += 1;
  }
  return files <= 1;
}
