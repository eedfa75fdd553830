import { sedWritesInPlace } from "./sed.js";

const flagsWithValue = new Set(["-E", "-e", "-I", "-L", "-n", "-P", "-s"]);

/** Whether `xargs` with these arguments runs a program that changes files in place. */
export function runsWritingCommand(args: readonly string[]): boolean {
  const [program, ...rest] = commandOf(args);
  if (program === "perl" || program === "ruby") return rest.some((arg) => /^-p?i/.test(arg));
  if (program === "sed") return sedWritesInPlace(rest) || rest.some((arg) => arg.startsWith("-i"));
  return program === "rg" && rest.includes("--replace");
}

function commandOf(args: readonly string[]): readonly string[] {
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? "";
    if (arg === "--") return args.slice(index + 1);
    if (!arg.startsWith("-")) return args.slice(index);
    if (flagsWithValue.has(arg)) index += 1;
  }
  return [];
}
