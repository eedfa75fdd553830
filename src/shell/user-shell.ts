import { joinWords, quoteWord } from "./quote.js";

/** The user's login shell, as far as it affects how commands run. */
export type UserShell =
  | { kind: "bash" | "zsh"; path: string; rcPath: string }
  | { kind: "powershell"; exe: string; bash?: string | undefined }
  | { kind: "unknown" };

/** Recognizes a login shell by its path; `home` contains its start-up file. */
export function toUserShell(path: string | null, home: string): UserShell {
  if (path?.endsWith("/zsh") === true) return { kind: "zsh", path, rcPath: `${home}/.zshrc` };
  if (path?.endsWith("/bash") === true) return { kind: "bash", path, rcPath: `${home}/.bashrc` };
  return { kind: "unknown" };
}

/**
 * Returns a command as it runs with the user's profile, for `experimental_use_profile`.
 *
 * A `bash -lc SCRIPT` of the model is unwrapped, so that the user's shell runs the script itself.
 * Returns `undefined` if the command should run unchanged. `exists` checks for a file.
 */
export function withUserProfile(
  shell: UserShell,
  argv: readonly string[],
  exists: (path: string) => boolean,
): string[] | undefined {
  if (shell.kind === "unknown") return undefined;
  if (shell.kind === "powershell") return inPowerShell(shell, argv);
  const script = bashScript(argv) ?? joinWords(argv);
  if (!exists(shell.rcPath)) return [shell.path, "-lc", script];
  // A comment or here-document at the end must not swallow the parenthesis.
  const end = /[\n#]/.test(script) ? "\n)" : ")";
  return [shell.path, "-lc", `source ${quoteWord(shell.rcPath)} && (${script}${end}`];
}

function inPowerShell(
  shell: { exe: string; bash?: string | undefined },
  argv: readonly string[],
): string[] {
  const script = bashScript(argv);
  if (script !== undefined && shell.bash !== undefined) return [shell.bash, "-lc", script];
  if (script !== undefined) return [shell.exe, "-NoProfile", "-Command", script];
  if (argv[0] === shell.exe || argv.some((word) => /[\r\n]/.test(word))) return [...argv];
  return [shell.exe, "-NoProfile", "-Command", joinWords(argv)];
}

function bashScript(argv: readonly string[]): string | undefined {
  return argv.length === 3 && argv[0] === "bash" && argv[1] === "-lc" ? argv[2] : undefined;
}
