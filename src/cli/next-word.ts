import type { Options } from "./command.js";

/** Where the next word stands that is no option and no option's value; nothing when none does. */
export function nextWord(
  args: readonly string[],
  start: number,
  known: Options,
): number | undefined {
  for (let at = start; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") return undefined;
    if (!arg.startsWith("-") || arg === "-") return at;
    if (readOption(arg, known).needsValue) at++;
  }
  return undefined;
}

/** The long name of an option as it was typed, and whether its value is the next argument. */
export function readOption(
  arg: string,
  known: Options,
): { name: string | undefined; needsValue: boolean } {
  if (arg.startsWith("--")) {
    const [name = ""] = arg.slice(2).split("=", 1);
    const option = Object.hasOwn(known, name) ? known[name] : undefined;
    return { name: option && name, needsValue: option?.type === "string" && !arg.includes("=") };
  }
  const entry = Object.entries(known).find(([, { short }]) => short === arg.charAt(1));
  return { name: entry?.[0], needsValue: entry?.[1].type === "string" && arg.length === 2 };
}
