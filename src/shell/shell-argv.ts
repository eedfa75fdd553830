/** Shells whose `-c` scripts are parsed. */
export type PosixShell = "bash" | "zsh" | "sh";

/** A command that is a shell with one script. */
export interface ShellScript {
  shell: PosixShell;
  script: string;
}

/**
 * Parses `bash -c SCRIPT`, `/bin/zsh -lc SCRIPT` and the like.
 *
 * Exactly three words: a fourth would be `$0` of the script, which is not supported.
 */
export function readShellScript(argv: readonly string[]): ShellScript | undefined {
  const [program, flag, script] = argv;
  if (argv.length !== 3 || program === undefined || script === undefined) return undefined;
  if (flag !== "-c" && flag !== "-lc") return undefined;
  const shell = program
    .split("/")
    .at(-1)
    ?.replace(/(?<=.)\.[^.]*$/, "");
  if (shell !== "bash" && shell !== "zsh" && shell !== "sh") return undefined;
  return { shell, script };
}

/**
 * Like `readShellScript`, but only for a system shell: by its bare name or in a system directory.
 *
 * Decisions about a command must use this one, since `./bash -c ls` runs any program of that name.
 */
export function readSystemShellScript(argv: readonly string[]): ShellScript | undefined {
  const name = systemProgram(argv[0] ?? "");
  if (name !== "bash" && name !== "zsh" && name !== "sh") return undefined;
  return readShellScript(argv);
}

const systemDirectories = new Set([
  "/bin",
  "/sbin",
  "/usr/bin",
  "/usr/sbin",
  "/usr/local/bin",
  "/usr/local/sbin",
  "/opt/homebrew/bin",
  "/opt/local/bin",
  "/run/current-system/sw/bin",
]);

/**
 * Returns the name of a program given bare or by its path in a system directory; `undefined` for
 * other paths.
 */
export function systemProgram(program: string): string | undefined {
  const slash = program.lastIndexOf("/");
  if (slash === -1) return program === "" ? undefined : program;
  return systemDirectories.has(program.slice(0, slash)) ? program.slice(slash + 1) : undefined;
}

/** Parses `powershell -NoProfile -Command SCRIPT` and the like. */
export function readPowerShellScript(argv: readonly string[]): string | undefined {
  const [program, ...args] = argv;
  if (program === undefined || !isPowerShell(program)) return undefined;
  for (const [index, arg] of args.entries()) {
    const flag = arg.toLowerCase();
    if (flag === "-command" || flag === "-c") return args[index + 1];
    if (flag !== "-nologo" && flag !== "-noprofile") return undefined;
  }
  return undefined;
}

/** Returns true if a program, given by name or by a path of either kind, is PowerShell. */
export function isPowerShell(program: string): boolean {
  return /(?:^|[/\\])(?:powershell|pwsh)(?:\.exe)?$/i.test(program);
}
